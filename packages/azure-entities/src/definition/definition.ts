import type { Key, KeyDefinition, Mapping } from '../keys/keys.ts'

/** The properties of an entity, by name. */
export type Properties = Record<string, unknown>

/** One version of a class, as `configure` made it; it refers to the version before. */
export interface Definition {
  /** The version: 1, 2, 3, … */
  readonly version: number
  /** The types of the properties. */
  readonly mapping: Mapping
  /** PartitionKey as it was declared in version 1. */
  readonly partitionKeyDefinition: KeyDefinition
  /** RowKey as it was declared in version 1. */
  readonly rowKeyDefinition: KeyDefinition
  /** Makes the PartitionKey. */
  readonly partitionKey: Key
  /** Makes the RowKey. */
  readonly rowKey: Key
  /** Whether rows of this version are signed. */
  readonly signs: boolean
  /** Whether this version or one before declared `signEntities`. */
  readonly mustSaySigning: boolean
  /** Whether rows of this version or of one before are signed. */
  readonly needsSigningKey: boolean
  /** Whether this version or one before has encrypted properties. */
  readonly needsCryptoKey: boolean
  /** The names of the values that `setup` receives in `context`. */
  readonly context: readonly string[]
  /** Makes the properties of this version from those of the version before. */
  readonly migrate: ((this: Readonly<Properties>, item: Properties) => Properties) | undefined
  /** The version before; `undefined` in version 1. */
  readonly previous: Definition | undefined
}

/** What `setup` gives to the rows of a class. */
export interface RowSetup {
  /** Signs and verifies rows. */
  readonly signingKey: string | undefined
  /** 32 bytes that encrypt properties. */
  readonly cryptoKey: Uint8Array | undefined
  /** The values that every entity has, which are `this` of a migration. */
  readonly context: Readonly<Properties>
}
