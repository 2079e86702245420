import type { RegisteredConverter } from '../convert/registered-converter.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { SchemaOptions } from '../schema/to-schema-rule.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { type MemberRule, mergeRules } from './member-rule.ts'
import type { TypeMark } from './to-discriminator.ts'
import type { VersionOptions } from './version-options.ts'

/** What `@Entity` said about a class. */
export interface EntityRule extends SchemaOptions, VersionOptions {
  /** The table's name. */
  readonly name?: string | undefined
  /** Makes a fresh instance, for a class whose constructor needs arguments. */
  readonly create?: (() => object) | undefined
  /** How members make the PartitionKey. */
  readonly partitionKey?: KeyCodec | undefined
  /** How members make the RowKey. */
  readonly rowKey?: KeyCodec | undefined
  /** What entities are signed with. */
  readonly signing?: SigningKeys | undefined
  /** What marks its rows. */
  readonly discriminator?: TypeMark | undefined
  /** The converters of whole classes of values. */
  readonly converters?: readonly RegisteredConverter[] | undefined
}

/**
 * Everything that the decorators said about one class; its base classes have records of their
 * own.
 */
export interface ClassRecord {
  entity?: EntityRule
  readonly members: Map<string, MemberRule>
}

/**
 * A metadata object: the one that standard decorators get, or the same thing made for legacy
 * ones.
 */
type Metadata = { [RECORD]?: ClassRecord }

/** A class, which may carry a metadata object. */
type Holder = { [METADATA]?: Metadata }

/**
 * Shared by every copy of the package, so that its ESM and CommonJS builds read each other's
 * records.
 */
const RECORD: unique symbol = Symbol.for('rowkey.record') as never

/**
 * `Symbol.metadata`, which no Node has yet. It must exist before a decorated class is evaluated,
 * and importing a decorator evaluates this module first; compilers fall back to the same
 * registered symbol.
 */
const METADATA: unique symbol = metadataSymbol() as never

function metadataSymbol(): symbol {
  // lib.esnext.decorators declares it, and the library targets less.
  const known = Symbol as { metadata?: symbol }
  if (known.metadata === undefined) {
    Object.defineProperty(Symbol, 'metadata', { value: Symbol.for('Symbol.metadata') })
  }
  return known.metadata ?? Symbol.for('Symbol.metadata')
}

/** The record in a metadata object, made at first use. */
export function recordIn(metadata: object): ClassRecord {
  const holder: Metadata = metadata
  // A subclass's metadata object inherits from its base's: only an own record is this class's.
  const known = Object.hasOwn(holder, RECORD) ? holder[RECORD] : undefined
  if (known !== undefined) return known
  const record: ClassRecord = { members: new Map() }
  holder[RECORD] = record
  return record
}

/** The record of a class whose compiler gives no metadata object, made at first use. */
export function recordOf(owner: object): ClassRecord {
  const holder: Holder = owner
  const known = Object.hasOwn(holder, METADATA) ? holder[METADATA] : undefined
  if (known !== undefined) return recordIn(known)
  const value: Metadata = Object.create(holder[METADATA] ?? null)
  Object.defineProperty(holder, METADATA, { value, configurable: true, writable: true })
  return recordIn(value)
}

/** The class's own record, or `undefined` when no decorator stands in that class. */
export function findRecord(owner: object): ClassRecord | undefined {
  const holder: Holder = owner
  const metadata = Object.hasOwn(holder, METADATA) ? holder[METADATA] : undefined
  return metadata && Object.hasOwn(metadata, RECORD) ? metadata[RECORD] : undefined
}

/**
 * Adds the rule of one decorator to a member's rule.
 *
 * @param merge - how two rules of one member become one
 */
export function addRule(
  record: ClassRecord,
  member: string,
  rule: MemberRule,
  merge: (earlier: MemberRule | undefined, later: MemberRule) => MemberRule = mergeRules,
): void {
  record.members.set(member, merge(record.members.get(member), rule))
}
