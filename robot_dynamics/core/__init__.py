"""
What every room may use and what knows no robotics: errors, the input gate, resources.

Here live the error classes, the checks of arrays that come from outside, the options given to
the compiler, the branch-free sine and cosine, and the search for files that the package
installs.  Nothing here may import another room.
"""
