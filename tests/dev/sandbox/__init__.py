"""Tests of the sandbox providers."""
