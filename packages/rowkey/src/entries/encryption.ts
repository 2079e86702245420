/** Encrypted and signed properties: `import { encryptionKeys } from 'rowkey/encryption'`. */
export {
  type DecryptionFailure,
  Encrypted,
  type EncryptedColumn,
  type EncryptionKeys,
  type EncryptionKeysOptions,
  encrypted,
  encryptionKeys,
  type KeyBytes,
  type KeyRingOptions,
  Plain,
  plain,
  type SecretDecorator,
  type SecretName,
  type SecretOf,
  type SecretWanted,
  type SignatureFailure,
  type SigningKeys,
  type SigningKeysOptions,
  signingKeys,
  type WithSecrets,
} from '@rowkey/mapper'
export type {
  Secret,
  SecretField,
  SecretMark,
} from '@rowkey/query'
