"""VerbNet-style roles from dependency trees by tables; a labeller's predicates refine them."""
