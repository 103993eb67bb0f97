"""How people talk to the expert: commands, the questionnaire, and the forms in which a verdict is shown."""
