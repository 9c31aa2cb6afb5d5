proto: ## Generate Python code from the protos
	.venv/bin/python protos/generate.py
proto-check:
	.venv/bin/python protos/generate.py --check
