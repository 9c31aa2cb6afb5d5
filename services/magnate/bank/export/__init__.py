"""A table's whole ledger as a file: CSV, JSON, and plain-text accounting journals for beancount and hledger.

Pure writers over the stored records, one commit at a time: `begin`, `section` for each commit, `end`. They
keep nothing, so a ledger of any length is written in constant memory.
"""
