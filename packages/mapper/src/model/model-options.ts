import { anything, type OptionRules, rule, trueOrFalse } from '@rowkey/odata'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { SchemaOptions } from '../schema/schema-rule.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { TypeMark } from './marks-of.ts'
import type { Lifetime } from './row-lifetime.ts'
import type { TimeOptions } from './row-times.ts'
import { type VersionOptions, versionRules } from './version-options.ts'

/** What `@Entity` and `defineEntity` declare alike, unchecked. */
export interface ModelOptions extends SchemaOptions, VersionOptions, TimeOptions {
  /** The table's name. */
  readonly name?: string | undefined
  /** The template of the PartitionKey. */
  readonly partitionKey?: KeyCodec | undefined
  /** The template of the RowKey. */
  readonly rowKey?: KeyCodec | undefined
  /** The keys that sign entities. */
  readonly signing?: SigningKeys | undefined
  /** The mark of its rows. */
  readonly discriminator?: TypeMark | undefined
  /** The properties that say whether a row is live. */
  readonly lifetime?: Lifetime | undefined
  /**
   * Permits a PartitionKey that is only a time, rising or falling. All writes of a moment then meet one partition, which takes
   * up to about 2,000 a second.
   *
   * @defaultValue `false`
   */
  readonly allowHotPartition?: boolean | undefined
}

const propertyName = rule('the name of a property', (value) => typeof value === 'string')

/** The model checks the values. */
export const modelRules: OptionRules<ModelOptions> = {
  name: anything,
  partitionKey: anything,
  rowKey: anything,
  schema: anything,
  read: anything,
  onDrift: anything,
  signing: anything,
  discriminator: anything,
  lifetime: anything,
  createdAt: propertyName,
  updatedAt: propertyName,
  allowHotPartition: trueOrFalse,
  ...versionRules,
}
