"""
The command line, and the graph of a scenario as data.

Here live the commands of ``robot-dynamics`` (one file a command), their progress line, and the
list of processes that make up a scenario, which launch files and the demo both read.  Nothing
here computes: a command reads its arguments, calls a room below, and prints what came back.
"""
