"""How an expert reasons: a rule language, three-valued truth, inference, weighing, traces.

Nothing in this package knows what the rules are about. A knowledge base brings the vocabulary, the rules, the
routes and all wording of its domain.
"""
