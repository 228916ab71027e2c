-- How many an account has invited of late: its newest invitations are looked at with each new one.
create index roster_invitations_of_account on roster_invitations (account_id, created_at);
