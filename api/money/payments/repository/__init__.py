"""SQL of payments: fundings, reports, disputes, chargebacks and debts."""
