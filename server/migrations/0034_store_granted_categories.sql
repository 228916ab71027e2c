-- What a user granted at a provider is stored by category instead of by the provider's scope. For connections before this it counts as not
-- reported. A connection that the provider ended is `revoked`.

update devices set granted_scopes = null, missing_scopes = null where granted_scopes is not null;
comment on column devices.granted_scopes is 'categories of which the user granted at least a part at the provider; null: the provider did not report it';
comment on column devices.missing_scopes is 'categories of which the user withheld at least a part; null: the provider did not report it';

update devices set failure_reason = 'revoked' where failure_reason = 'access_revoked';
