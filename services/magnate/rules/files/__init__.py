"""Reading boards and rule sets from YAML: used by the loader alone, and never compiled."""
