"""
Learning the arm: its masses, friction and rotors from recordings of its own motion.

Here lives what turns aligned samples into parameters: the regressor's rows, the prior, physical
consistency, how far the result may be trusted, and the motion that teaches most.  Reading bags is
``replay``'s; a model that was identified is ``model``'s.
"""
