# Thin names for `python3 run.py …`; nothing happens here that does not happen there.
PYTHON ?= python3

.DEFAULT_GOAL := help
.PHONY: help start test check fix client seed migration seal bench sbom audit

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-10s %s\n", $$1, $$2}'

start: ## serve the product
	$(PYTHON) run.py start

test: ## every check and every test
	$(PYTHON) run.py test

check: ## the fast checks
	$(PYTHON) run.py check

fix: ## format and repair what a machine can repair
	$(PYTHON) run.py fix

client: ## openapi.json and the web app's types
	$(PYTHON) run.py client

seed: ## demo data for an empty database
	$(PYTHON) run.py seed

migration: ## a migration from the models: make migration name=what_it_changes
	$(PYTHON) run.py migration $(name)

seal: ## note the digests of new migrations
	$(PYTHON) run.py seal

bench: ## measure: make bench name=rest-balance
	$(PYTHON) run.py bench $(name)

sbom: ## the bills of materials
	$(PYTHON) run.py sbom

audit: ## what is known against the locked packages
	$(PYTHON) run.py audit
