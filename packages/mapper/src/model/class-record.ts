import type { RegisteredConverter } from '../convert/registered-converter.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { SchemaOptions } from '../schema/to-schema-rule.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { type MemberRule, mergeRules } from './member-rule.ts'
import type { Lifetime } from './row-lifetime.ts'
import type { TypeMark } from './to-discriminator.ts'
import type { VersionOptions } from './version-options.ts'

/** The options of `@Entity` of a class. */
export interface EntityRule extends SchemaOptions, VersionOptions {
  /** The table's name. */
  readonly name?: string | undefined
  /** Makes a fresh instance, for a class whose constructor needs arguments. */
  readonly create?: (() => object) | undefined
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
  /** The converters of classes of values. */
  readonly converters?: readonly RegisteredConverter[] | undefined
}

/** The decorators of one class; each base class has its own record. */
export interface ClassRecord {
  entity?: EntityRule
  readonly members: Map<string, MemberRule>
}

/** A metadata object: the one of standard decorators, or one made for legacy decorators. */
type Metadata = { [RECORD]?: ClassRecord }

/** A class, which may carry a metadata object. */
type Holder = { [METADATA]?: Metadata }

/** Shared by all copies of the package, so that its ESM and CommonJS builds read each other's records. */
const RECORD: unique symbol = Symbol.for('rowkey.record') as never

/**
 * `Symbol.metadata`, which Node does not have yet. It must exist before a decorated class is evaluated;
 * importing a decorator evaluates this module first. Compilers fall back to the same registered symbol.
 */
const METADATA: unique symbol = metadataSymbol() as never

function metadataSymbol(): symbol {
  // Only lib.esnext.decorators declares it, which the library does not target.
  const known = Symbol as { metadata?: symbol }
  if (known.metadata === undefined) {
    Object.defineProperty(Symbol, 'metadata', { value: Symbol.for('Symbol.metadata') })
  }
  return known.metadata ?? Symbol.for('Symbol.metadata')
}

/** Returns the record in a metadata object, made at first use. */
export function recordIn(metadata: object): ClassRecord {
  const holder: Metadata = metadata
  // The metadata object of a subclass inherits from that of its base, so only an own record counts.
  const known = Object.hasOwn(holder, RECORD) ? holder[RECORD] : undefined
  if (known !== undefined) return known
  const record: ClassRecord = { members: new Map() }
  holder[RECORD] = record
  return record
}

/** Returns the record of a class whose compiler does not make a metadata object, made at first use. */
export function recordOf(owner: object): ClassRecord {
  const holder: Holder = owner
  const known = Object.hasOwn(holder, METADATA) ? holder[METADATA] : undefined
  if (known !== undefined) return recordIn(known)
  const value: Metadata = Object.create(holder[METADATA] ?? null)
  Object.defineProperty(holder, METADATA, { value, configurable: true, writable: true })
  return recordIn(value)
}

/** Returns the class's own record; `undefined` when the class has no decorators. */
export function findRecord(owner: object): ClassRecord | undefined {
  const holder: Holder = owner
  const metadata = Object.hasOwn(holder, METADATA) ? holder[METADATA] : undefined
  return metadata && Object.hasOwn(metadata, RECORD) ? metadata[RECORD] : undefined
}

/**
 * Adds the rule of one decorator to a member's rule.
 *
 * @param merge - merges two rules of one member
 */
export function addRule(
  record: ClassRecord,
  member: string,
  rule: MemberRule,
  merge: (earlier: MemberRule | undefined, later: MemberRule) => MemberRule = mergeRules,
): void {
  record.members.set(member, merge(record.members.get(member), rule))
}
