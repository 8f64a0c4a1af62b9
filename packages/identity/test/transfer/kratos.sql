-- Written by Ory Kratos v26.2.0 for the five accounts of from-kratos.test.ts: the tables and columns that an import reads,
-- with types that SQLite and PostgreSQL share. Encrypted provider tokens are cut.
create table identity_credential_types (id uuid, name text);
insert into identity_credential_types values
('78c1b41d-8341-4507-aa60-aff1d4369670', 'password'),
('6fa5e2e0-bfce-4631-b62b-cf2b0252b289', 'oidc'),
('5e29b036-aa47-457f-9fe6-aa8b854a752b', 'totp'),
('567a0730-7f48-4dd7-a13d-df87a51c245f', 'lookup_secret'),
('6b213fa0-e6ad-46cb-8878-b088d2ce2e3c', 'webauthn'),
('14f3b7e2-8725-4068-be39-8a796485fd97', 'code'),
('8d0ca544-9bf6-45d3-bd75-0bbb3aeba3c7', 'passkey'),
('7bddcf6c-f50e-4a18-9b0f-429114c33419', 'saml');
create table identities (id uuid, schema_id text, traits jsonb, state text, state_changed_at timestamp, metadata_public jsonb, metadata_admin jsonb, external_id text, organization_id uuid, created_at timestamp, updated_at timestamp);
insert into identities values
('9321b94d-5f25-4649-b74c-4863e15f2b8a', 'person', '{"email":"ada@example.com","name":"Ada","phone":"+4915112345678"}', 'active', '2026-11-24 13:40:30.401792198+00:00', '{"roles":["admin"]}', '{"note":"first"}', 'crm-1', null, '2026-11-24 13:40:30.402729+00:00', '2026-11-24 13:40:30.955121+00:00'),
('d5987eec-5f0b-4ca2-8b83-51fca0a7c395', 'person', '{"email":"bob@example.com"}', 'active', '2026-11-24 13:40:30.982579974+00:00', null, null, null, null, '2026-11-24 13:40:30.983295+00:00', '2026-11-24 13:40:31.297749+00:00'),
('bfa98072-85d3-409e-8bdc-0e084ffd3ac0', 'person', '{"email":"cleo@example.com"}', 'active', '2026-11-24 13:40:32.169899879+00:00', null, null, null, null, '2026-11-24 13:40:32.170754+00:00', '2026-11-24 13:40:32.170754+00:00'),
('31ef742d-560e-476f-a388-366e9cfc572f', 'person', '{"email":"dan@example.com"}', 'inactive', '2026-11-24 13:40:32.221257621+00:00', null, null, null, null, '2026-11-24 13:40:32.224076+00:00', '2026-11-24 13:40:32.224076+00:00'),
('3da3ed52-a63a-483b-9e9e-b4a7ba846373', 'person', '{"email":"eve@example.com"}', 'active', '2026-11-24 13:40:32.235748296+00:00', null, null, null, null, '2026-11-24 13:40:32.236716+00:00', '2026-11-24 13:40:32.236716+00:00');
create table identity_credentials (id uuid, identity_id uuid, identity_credential_type_id uuid, config jsonb, created_at timestamp, updated_at timestamp);
insert into identity_credentials values
('3788f49e-81cd-4836-adb7-e3faf716109b', '9321b94d-5f25-4649-b74c-4863e15f2b8a', '78c1b41d-8341-4507-aa60-aff1d4369670', '{"hashed_password":"$argon2id$v=19$m=1024,t=1,p=1$KmmjBqZ8tZhrJURnztUuhw$PvbZiXcb4osQpmqtaWIZ7GX9weQ8RxcrgiSePUU8HM8"}', '2026-11-24 13:40:30.404233+00:00', '2026-11-24 13:40:30.404233+00:00'),
('e1422288-b603-4ee4-921c-75e05f397375', '9321b94d-5f25-4649-b74c-4863e15f2b8a', '6b213fa0-e6ad-46cb-8878-b088d2ce2e3c', '{}', '2026-11-24 13:40:30.404236+00:00', '2026-11-24 13:40:30.404236+00:00'),
('8f6bdb76-fe64-43a7-9951-265283c61381', '9321b94d-5f25-4649-b74c-4863e15f2b8a', '14f3b7e2-8725-4068-be39-8a796485fd97', '{"addresses":[{"channel":"email","address":"ada@example.com"}]}', '2026-11-24 13:40:30.404238+00:00', '2026-11-24 13:40:30.404238+00:00'),
('94fb0adc-035c-4230-9115-e4aef4edf5d2', '9321b94d-5f25-4649-b74c-4863e15f2b8a', '5e29b036-aa47-457f-9fe6-aa8b854a752b', '{"totp_url":"otpauth://totp/Example:ada@example.com?algorithm=SHA1&digits=6&issuer=Example&period=30&secret=UOXDZTPF7Q3VB7BULTFBCHLI66G5VOA3"}', '2026-11-24 13:40:30.738557+00:00', '2026-11-24 13:40:30.738557+00:00'),
('e831b6c7-4a93-4da7-8771-45feac1e4b94', '9321b94d-5f25-4649-b74c-4863e15f2b8a', '567a0730-7f48-4dd7-a13d-df87a51c245f', '{"recovery_codes":[{"code":"8waediif","used_at":"2026-11-24T13:40:31Z"},{"code":"0zpnn3xp","used_at":null},{"code":"i962vwgr","used_at":null},{"code":"w0tza3g9","used_at":null},{"code":"b1kbpubi","used_at":null},{"code":"b5falles","used_at":null},{"code":"msdlrccc","used_at":null},{"code":"ogoxs617","used_at":null},{"code":"sqsfsfyx","used_at":null},{"code":"h2d1bcwr","used_at":null},{"code":"eymkx127","used_at":null},{"code":"9qbb2c4p","used_at":null}]}', '2026-11-24 13:40:30.851259+00:00', '2026-11-24 13:40:30.961239+00:00'),
('2bd62e7b-4547-45bc-bf23-b825078ad9db', 'd5987eec-5f0b-4ca2-8b83-51fca0a7c395', '78c1b41d-8341-4507-aa60-aff1d4369670', '{"hashed_password":"$argon2id$v=19$m=1024,t=1,p=1$Y4lbppdRj8LLeVtCDVsvdg$8iL2g1uKFwBCCqLyTxJF7ctIODR5eNKSNPHJDTKwNGQ"}', '2026-11-24 13:40:30.983789+00:00', '2026-11-24 13:40:30.983789+00:00'),
('db845b29-a32e-4db1-aabd-3b4618dc330b', 'd5987eec-5f0b-4ca2-8b83-51fca0a7c395', '14f3b7e2-8725-4068-be39-8a796485fd97', '{"addresses":[{"channel":"email","address":"bob@example.com"}]}', '2026-11-24 13:40:30.983794+00:00', '2026-11-24 13:40:30.983794+00:00'),
('34047a51-62ab-448e-9b98-0beae2924a0b', 'd5987eec-5f0b-4ca2-8b83-51fca0a7c395', '8d0ca544-9bf6-45d3-bd75-0bbb3aeba3c7', '{"credentials":[{"id":"SR0w7+DfiZnFLP+DljcLKZJ20skNJ+5Mj2PccMib/Iw=","public_key":"pQECAyYgASFYICGhv7v2iOW5Nkv/V1RKGs+urEYBUSqJyKHSzcT6gDqiIlgg1bbrysWkJbKS0FsHv/hOGdY5fXA7wyna24Z5/RUKVco=","attestation_type":"none","authenticator":{"aaguid":"AAAAAAAAAAAAAAAAAAAAAA==","sign_count":0,"clone_warning":false},"display_name":"","added_at":"2026-11-24T13:40:31Z","is_passwordless":true,"flags":{"user_present":true,"user_verified":true,"backup_eligible":false,"backup_state":false}},{"id":"bjGwsg0gUaVXEXuDgKiF5Td4ufIEjd0gjjAFud0LI3g=","public_key":"pQECAyYgASFYIPja8AFjJ2VRxrg/nbKL+9YCTTjvNcBtt+kqbD/Vy0PtIlggpXE+Ehl0EIDbcpHJZLqEU3+8lQXL3QyJhnOFduI8ww0=","attestation_type":"none","authenticator":{"aaguid":"AAAAAAAAAAAAAAAAAAAAAA==","sign_count":0,"clone_warning":false},"display_name":"","added_at":"2026-11-24T13:40:31Z","is_passwordless":true,"flags":{"user_present":true,"user_verified":true,"backup_eligible":false,"backup_state":false}}],"user_handle":"dkdMS0FiYzlJd0FXNVVMMjdlR000SldseHRNRTBhU2o4bGRqSWpaZjlKOFVyb0NlOHhzcFdQZXZwc29HT1VCNw=="}', '2026-11-24 13:40:31.104774+00:00', '2026-11-24 13:40:31.192672+00:00'),
('56efef29-c092-47bb-9dee-0c74d5211e55', 'd5987eec-5f0b-4ca2-8b83-51fca0a7c395', '6b213fa0-e6ad-46cb-8878-b088d2ce2e3c', '{"credentials":[{"id":"vV8gmHI6h5GpOhYTFTH5tsxE5Zay7rEFqktFMKrbDHs=","public_key":"pQECAyYgASFYIKbeQRw0TWn8ddY0jCgzdsGb4fz5TQXqQVbZFHcmlZb/IlggHIuNEXpgZEQ/U1MUJphA4+jr1NQV0NnTyusi7qI3a7Y=","attestation_type":"none","authenticator":{"aaguid":"AAAAAAAAAAAAAAAAAAAAAA==","sign_count":0,"clone_warning":false},"display_name":"Blue key","added_at":"2026-11-24T13:40:31Z","is_passwordless":false,"flags":{"user_present":true,"user_verified":true,"backup_eligible":false,"backup_state":false}}],"user_handle":"1Zh+7F8LTKKLg1H8oKfDlQ=="}', '2026-11-24 13:40:30.983793+00:00', '2026-11-24 13:40:31.298836+00:00'),
('8f9b3da0-b18e-4e18-9ab1-06783b5dc56c', 'bfa98072-85d3-409e-8bdc-0e084ffd3ac0', '78c1b41d-8341-4507-aa60-aff1d4369670', '{}', '2026-11-24 13:40:32.171975+00:00', '2026-11-24 13:40:32.171975+00:00'),
('53e10221-2210-4a29-93fc-69098f1fadda', 'bfa98072-85d3-409e-8bdc-0e084ffd3ac0', '6b213fa0-e6ad-46cb-8878-b088d2ce2e3c', '{}', '2026-11-24 13:40:32.171979+00:00', '2026-11-24 13:40:32.171979+00:00'),
('b94232b9-44ee-4f55-a007-14a54cf53a14', 'bfa98072-85d3-409e-8bdc-0e084ffd3ac0', '14f3b7e2-8725-4068-be39-8a796485fd97', '{"addresses":[{"channel":"email","address":"cleo@example.com"}]}', '2026-11-24 13:40:32.171981+00:00', '2026-11-24 13:40:32.171981+00:00'),
('13ee3e4f-f687-4312-af47-e018c668ba41', 'bfa98072-85d3-409e-8bdc-0e084ffd3ac0', '6fa5e2e0-bfce-4631-b62b-cf2b0252b289', '{"providers":[{"subject":"cleo-at-example","provider":"example","initial_id_token":"afd384924e451d61","initial_access_token":"179ab2a56a959283","initial_refresh_token":""}]}', '2026-11-24 13:40:32.171982+00:00', '2026-11-24 13:40:32.171982+00:00'),
('791f4c27-72f9-47f4-8dce-d3bab192f0b8', '31ef742d-560e-476f-a388-366e9cfc572f', '14f3b7e2-8725-4068-be39-8a796485fd97', '{"addresses":[{"channel":"email","address":"dan@example.com"}]}', '2026-11-24 13:40:32.22682+00:00', '2026-11-24 13:40:32.22682+00:00'),
('f2292e38-1714-4682-af0e-d28b8dcc84d2', '31ef742d-560e-476f-a388-366e9cfc572f', '78c1b41d-8341-4507-aa60-aff1d4369670', '{"hashed_password":"$argon2id$v=19$m=1024,t=1,p=1$00TMWVlATPw6HmQJU1YrHQ$JXY0SCA5gJJALTkvkEe7xbPDZDZEeoEzU8sVuiXKvB8"}', '2026-11-24 13:40:32.226825+00:00', '2026-11-24 13:40:32.226825+00:00'),
('6bcdf347-a111-491b-8a7f-5e0ccdddf5e5', '31ef742d-560e-476f-a388-366e9cfc572f', '6fa5e2e0-bfce-4631-b62b-cf2b0252b289', '{"providers":[{"subject":"dan-at-example","provider":"example","initial_id_token":"","initial_access_token":"","initial_refresh_token":""}]}', '2026-11-24 13:40:32.226826+00:00', '2026-11-24 13:40:32.226826+00:00'),
('c644b6aa-7982-4e05-9c19-8ed0b0f0f4ff', '31ef742d-560e-476f-a388-366e9cfc572f', '6b213fa0-e6ad-46cb-8878-b088d2ce2e3c', '{}', '2026-11-24 13:40:32.226828+00:00', '2026-11-24 13:40:32.226828+00:00'),
('ff156700-da4f-4225-a287-c3336c6bddbe', '3da3ed52-a63a-483b-9e9e-b4a7ba846373', '6b213fa0-e6ad-46cb-8878-b088d2ce2e3c', '{}', '2026-11-24 13:40:32.237957+00:00', '2026-11-24 13:40:32.237957+00:00'),
('f24a2657-cefb-49d0-9f94-b9cf47784ef7', '3da3ed52-a63a-483b-9e9e-b4a7ba846373', '14f3b7e2-8725-4068-be39-8a796485fd97', '{"addresses":[{"channel":"email","address":"eve@example.com"}]}', '2026-11-24 13:40:32.237961+00:00', '2026-11-24 13:40:32.237961+00:00'),
('9f65e0e7-94aa-46ed-8be6-4d0b8944fea9', '3da3ed52-a63a-483b-9e9e-b4a7ba846373', '78c1b41d-8341-4507-aa60-aff1d4369670', '{"hashed_password":"$argon2id$v=19$m=1024,t=1,p=1$2NCx/X8TnCuJJK/2KhIP/g$SHXhA/+oNNQMsEHK7bdRBAbYAD9UacX/8TsbeHpEkXE"}', '2026-11-24 13:40:32.237962+00:00', '2026-11-24 13:40:32.237962+00:00');
create table identity_credential_identifiers (identity_id uuid, identity_credential_id uuid, identifier text);
insert into identity_credential_identifiers values
('9321b94d-5f25-4649-b74c-4863e15f2b8a', '3788f49e-81cd-4836-adb7-e3faf716109b', 'ada@example.com'),
('9321b94d-5f25-4649-b74c-4863e15f2b8a', 'e1422288-b603-4ee4-921c-75e05f397375', 'ada@example.com'),
('9321b94d-5f25-4649-b74c-4863e15f2b8a', '8f6bdb76-fe64-43a7-9951-265283c61381', 'ada@example.com'),
('9321b94d-5f25-4649-b74c-4863e15f2b8a', '94fb0adc-035c-4230-9115-e4aef4edf5d2', '9321b94d-5f25-4649-b74c-4863e15f2b8a'),
('9321b94d-5f25-4649-b74c-4863e15f2b8a', 'e831b6c7-4a93-4da7-8771-45feac1e4b94', '9321b94d-5f25-4649-b74c-4863e15f2b8a'),
('d5987eec-5f0b-4ca2-8b83-51fca0a7c395', '2bd62e7b-4547-45bc-bf23-b825078ad9db', 'bob@example.com'),
('d5987eec-5f0b-4ca2-8b83-51fca0a7c395', 'db845b29-a32e-4db1-aabd-3b4618dc330b', 'bob@example.com'),
('d5987eec-5f0b-4ca2-8b83-51fca0a7c395', '34047a51-62ab-448e-9b98-0beae2924a0b', 'YsFsFIs5o7H26mkDFHq0s1PXiOocy77oiRPqYqhSyFxrQD9znWs3iIkVPp0Ic33Y'),
('d5987eec-5f0b-4ca2-8b83-51fca0a7c395', '34047a51-62ab-448e-9b98-0beae2924a0b', 'vGLKAbc9IwAW5UL27eGM4JWlxtME0aSj8ldjIjZf9J8UroCe8xspWPevpsoGOUB7'),
('d5987eec-5f0b-4ca2-8b83-51fca0a7c395', '56efef29-c092-47bb-9dee-0c74d5211e55', 'bob@example.com'),
('bfa98072-85d3-409e-8bdc-0e084ffd3ac0', '8f9b3da0-b18e-4e18-9ab1-06783b5dc56c', 'cleo@example.com'),
('bfa98072-85d3-409e-8bdc-0e084ffd3ac0', '53e10221-2210-4a29-93fc-69098f1fadda', 'cleo@example.com'),
('bfa98072-85d3-409e-8bdc-0e084ffd3ac0', 'b94232b9-44ee-4f55-a007-14a54cf53a14', 'cleo@example.com'),
('bfa98072-85d3-409e-8bdc-0e084ffd3ac0', '13ee3e4f-f687-4312-af47-e018c668ba41', 'example:cleo-at-example'),
('31ef742d-560e-476f-a388-366e9cfc572f', '791f4c27-72f9-47f4-8dce-d3bab192f0b8', 'dan@example.com'),
('31ef742d-560e-476f-a388-366e9cfc572f', 'f2292e38-1714-4682-af0e-d28b8dcc84d2', 'dan@example.com'),
('31ef742d-560e-476f-a388-366e9cfc572f', '6bcdf347-a111-491b-8a7f-5e0ccdddf5e5', 'example:dan-at-example'),
('31ef742d-560e-476f-a388-366e9cfc572f', 'c644b6aa-7982-4e05-9c19-8ed0b0f0f4ff', 'dan@example.com'),
('3da3ed52-a63a-483b-9e9e-b4a7ba846373', 'ff156700-da4f-4225-a287-c3336c6bddbe', 'eve@example.com'),
('3da3ed52-a63a-483b-9e9e-b4a7ba846373', 'f24a2657-cefb-49d0-9f94-b9cf47784ef7', 'eve@example.com'),
('3da3ed52-a63a-483b-9e9e-b4a7ba846373', '9f65e0e7-94aa-46ed-8be6-4d0b8944fea9', 'eve@example.com');
create table identity_verifiable_addresses (id uuid, identity_id uuid, via text, value text, status text, verified boolean, verified_at timestamp, created_at timestamp, updated_at timestamp);
insert into identity_verifiable_addresses values
('639a23a3-7502-46a4-9d60-cdb472293ada', '9321b94d-5f25-4649-b74c-4863e15f2b8a', 'email', 'ada@example.com', 'completed', true, '2026-11-24 13:40:30.403187653+00:00', '2026-11-24 13:40:30.40323+00:00', '2026-11-24 13:40:30.40323+00:00'),
('cdb9d919-1578-4d02-9259-76dd6028cf93', '9321b94d-5f25-4649-b74c-4863e15f2b8a', 'sms', '+4915112345678', 'sent', false, null, '2026-11-24 13:40:30.403235+00:00', '2026-11-24 13:40:30.403235+00:00'),
('d3f12674-4452-4bab-b27d-a1ce99d6ac49', 'd5987eec-5f0b-4ca2-8b83-51fca0a7c395', 'email', 'bob@example.com', 'completed', true, '2026-11-24 13:40:30.98353872+00:00', '2026-11-24 13:40:30.983564+00:00', '2026-11-24 13:40:30.983564+00:00'),
('04a23ee4-e7f4-4313-9af6-b9ab2d3f0dd5', 'bfa98072-85d3-409e-8bdc-0e084ffd3ac0', 'email', 'cleo@example.com', 'sent', false, null, '2026-11-24 13:40:32.171359+00:00', '2026-11-24 13:40:32.171359+00:00'),
('abd44d51-e88b-412f-88ee-8c0ab9cec490', '31ef742d-560e-476f-a388-366e9cfc572f', 'email', 'dan@example.com', 'pending', false, null, '2026-11-24 13:40:32.225977+00:00', '2026-11-24 13:40:32.225977+00:00'),
('d364acb5-0ed5-49a2-beef-74a101e48387', '3da3ed52-a63a-483b-9e9e-b4a7ba846373', 'email', 'eve@example.com', 'pending', false, null, '2026-11-24 13:40:32.237363+00:00', '2026-11-24 13:40:32.237363+00:00');
create table identity_recovery_addresses (id uuid, identity_id uuid, via text, value text, created_at timestamp, updated_at timestamp);
insert into identity_recovery_addresses values
('60b434e0-c469-435d-b930-3e1ea172174a', '9321b94d-5f25-4649-b74c-4863e15f2b8a', 'email', 'ada@example.com', '2026-11-24 13:40:30.403544+00:00', '2026-11-24 13:40:30.403544+00:00'),
('7925a176-bd0e-4954-8ba2-a35cfd675f5b', '9321b94d-5f25-4649-b74c-4863e15f2b8a', 'sms', '+4915112345678', '2026-11-24 13:40:30.403547+00:00', '2026-11-24 13:40:30.403547+00:00'),
('d9dcfaad-3075-4843-97a3-1cbd0d773fa9', 'd5987eec-5f0b-4ca2-8b83-51fca0a7c395', 'email', 'bob@example.com', '2026-11-24 13:40:30.98368+00:00', '2026-11-24 13:40:30.98368+00:00'),
('7b75d4d4-3f22-40ed-9b09-a9985f7e2ab0', 'bfa98072-85d3-409e-8bdc-0e084ffd3ac0', 'email', 'cleo@example.com', '2026-11-24 13:40:32.171653+00:00', '2026-11-24 13:40:32.171653+00:00'),
('e6e533be-858b-4869-a508-5d49569732e5', '31ef742d-560e-476f-a388-366e9cfc572f', 'email', 'dan@example.com', '2026-11-24 13:40:32.226356+00:00', '2026-11-24 13:40:32.226356+00:00'),
('a9bea307-da86-45d8-bc23-0d92db158116', '3da3ed52-a63a-483b-9e9e-b4a7ba846373', 'email', 'eve@example.com', '2026-11-24 13:40:32.237648+00:00', '2026-11-24 13:40:32.237648+00:00');
create table sessions (id uuid, identity_id uuid, token text, aal text, active boolean, authentication_methods jsonb, issued_at timestamp, authenticated_at timestamp, expires_at timestamp);
insert into sessions values
('e5dfa16b-6b8b-4f7b-ba34-8696a9e8ca50', '9321b94d-5f25-4649-b74c-4863e15f2b8a', 'ory_st_En57BtHuKjOwwYfFXbnlO7wI9hMaq5NQ', 'aal2', true, '[{"method":"password","aal":"aal1","completed_at":"2026-11-24T13:40:30.502658902Z"},{"method":"totp","aal":"aal2","completed_at":"2026-11-24T13:40:30.733918031Z"},{"method":"lookup_secret","aal":"aal2","completed_at":"2026-11-24T13:40:30.840215148Z"}]', '2026-11-24 13:40:30.502936946+00:00', '2026-11-24 13:40:30.502936946+00:00', '2056-11-16 13:40:30.502936946+00:00'),
('d5751544-c5ac-4409-8988-6bb455433693', '9321b94d-5f25-4649-b74c-4863e15f2b8a', 'ory_st_MVOYEtD5XftQgnI0o4XYvV2WukpxAzCn', 'aal1', true, '[{"method":"password","aal":"aal1","completed_at":"2026-11-24T13:40:30.668343571Z"}]', '2026-11-24 13:40:30.668480384+00:00', '2026-11-24 13:40:30.668480384+00:00', '2056-11-16 13:40:30.668480384+00:00'),
('43bba0a0-94a0-425e-b656-2d436440f792', '9321b94d-5f25-4649-b74c-4863e15f2b8a', 'ory_st_WI6H22BLQgX32IRAD2eocXqnZbfuroB4', 'aal2', true, '[{"method":"password","aal":"aal1","completed_at":"2026-11-24T13:40:30.918781976Z"},{"method":"lookup_secret","aal":"aal2","completed_at":"2026-11-24T13:40:30.972410945Z"}]', '2026-11-24 13:40:30.918813793+00:00', '2026-11-24 13:40:30.972474779+00:00', '2056-11-16 13:40:30.972474779+00:00'),
('808a8471-27b5-475a-bf86-f926f6b3d820', 'd5987eec-5f0b-4ca2-8b83-51fca0a7c395', 'ory_st_cUx0xUsN3mp9YF0X6UlsdCR0R7OyGtYQ', 'aal2', true, '[{"method":"password","aal":"aal1","completed_at":"2026-11-24T13:40:31.020705341Z"},{"method":"passkey","aal":"aal1","completed_at":"2026-11-24T13:40:31.096659674Z"},{"method":"passkey","aal":"aal1","completed_at":"2026-11-24T13:40:31.167437099Z"},{"method":"webauthn","aal":"aal2","completed_at":"2026-11-24T13:40:31.280020454Z"}]', '2026-11-24 13:40:31.020826561+00:00', '2026-11-24 13:40:31.020826561+00:00', '2056-11-16 13:40:31.020826561+00:00'),
('5d04c09b-8ce4-47fd-8cf1-15479d252619', 'd5987eec-5f0b-4ca2-8b83-51fca0a7c395', 'ory_st_18dReSzqYcn2ahpILh8OtTS5Y1xIXgfd', 'aal1', true, '[{"method":"passkey","aal":"aal1","completed_at":"2026-11-24T13:40:31.383963383Z"}]', '2026-11-24 13:40:31.384000368+00:00', '2026-11-24 13:40:31.384000368+00:00', '2056-11-16 13:40:31.384000368+00:00'),
('b4029541-941e-4a5c-954d-61ff876089eb', 'bfa98072-85d3-409e-8bdc-0e084ffd3ac0', 'ory_st_WWAdcc0zLRkYxH0PAisGjeDzWgnuArzy', 'aal1', true, '[{"method":"oidc","aal":"aal1","completed_at":"2026-11-24T13:40:32.179808802Z","provider":"example"}]', '2026-11-24 13:40:32.179809363+00:00', '2026-11-24 13:40:32.179809363+00:00', '2056-11-16 13:40:32.179809363+00:00'),
('23afd9af-d8da-474d-9714-a2d2f63c5569', '3da3ed52-a63a-483b-9e9e-b4a7ba846373', 'ory_st_AlQ9LdhjEiBrIa7zsJD9RKawdzT0dSxW', 'aal1', true, '[{"method":"password","aal":"aal1","completed_at":"2026-11-24T13:40:32.264633104Z"}]', '2026-11-24 13:40:32.264797778+00:00', '2026-11-24 13:40:32.264797778+00:00', '2056-11-16 13:40:32.264797778+00:00'),
('93d8d082-128b-49de-94de-1249aa457a97', '3da3ed52-a63a-483b-9e9e-b4a7ba846373', 'ory_st_3IZ1GQQ5ZiiFvY6IqLZsEBvGhkKUuuKq', 'aal1', false, '[{"method":"password","aal":"aal1","completed_at":"2026-11-24T13:40:32.301777702Z"}]', '2026-11-24 13:40:32.301906424+00:00', '2026-11-24 13:40:32.301906424+00:00', '2056-11-16 13:40:32.301906424+00:00');
create table session_devices (id uuid, session_id uuid, ip_address text, user_agent text, location text);
insert into session_devices values
('eba4351d-4071-4027-82d9-0b49b0f805b7', 'e5dfa16b-6b8b-4f7b-ba34-8696a9e8ca50', '127.0.0.1:35350', 'node', ''),
('d40ad05d-b817-4bcc-bf41-5c79b9759d92', 'd5751544-c5ac-4409-8988-6bb455433693', '127.0.0.1:35350', 'node', ''),
('0e7d25bf-4465-434e-860d-d4f0dbee8178', '43bba0a0-94a0-425e-b656-2d436440f792', '127.0.0.1:35334', 'node', ''),
('37ea8337-e07d-4d49-8780-09c4f5bbd355', '808a8471-27b5-475a-bf86-f926f6b3d820', '127.0.0.1:35350', 'node', ''),
('98acc40d-d242-4977-adc3-2c2dc5deac77', '5d04c09b-8ce4-47fd-8cf1-15479d252619', '127.0.0.1:35350', 'node', ''),
('21121eba-f9d6-405f-b49e-d42faf523200', 'b4029541-941e-4a5c-954d-61ff876089eb', '127.0.0.1:35334', 'node', ''),
('873e4b73-9a7d-4c88-991c-7cbbfd4ffffc', '23afd9af-d8da-474d-9714-a2d2f63c5569', '127.0.0.1:35350', 'node', ''),
('d38fde1f-cfae-4f98-92e1-886839a3ba4b', '93d8d082-128b-49de-94de-1249aa457a97', '127.0.0.1:35350', 'node', '');
