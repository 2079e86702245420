import type { EdmType } from '@rowkey/odata'
import type { Converter } from '../convert/converter.ts'
import type { EncryptionKeys } from '../encryption/encryption-keys.ts'

/** The decorators that may stand on a member. */
export type MemberDecoratorName =
  | 'PartitionKey'
  | 'RowKey'
  | 'ETag'
  | 'Timestamp'
  | 'Property'
  | 'StoreAs'
  | TypeDecoratorName
  | 'Convert'
  | 'Json'
  | 'Text'
  | 'Blob'
  | 'Encrypted'
  | 'Plain'
  | 'Ignore'

/** The decorators that say an Edm type. */
export type TypeDecoratorName = 'Int32' | 'Int64' | 'Double' | 'Guid' | 'DateTime' | 'Binary'

/** The decorators of what is not a stored property of its own. */
const SYSTEM: readonly MemberDecoratorName[] = [
  'PartitionKey',
  'RowKey',
  'ETag',
  'Timestamp',
  'Ignore',
]

/** The decorators that say nothing but how values are stored. */
const FORMS: readonly MemberDecoratorName[] = [
  'Int32',
  'Int64',
  'Double',
  'Guid',
  'DateTime',
  'Binary',
  'Convert',
  'Json',
  'Text',
  'Blob',
]

/** What the decorators on one member said, not yet checked. */
export interface MemberRule {
  /** The decorators on the member, each once. */
  readonly decorators: readonly MemberDecoratorName[]
  /** The argument of `@Property`. */
  readonly type?: EdmType | undefined
  /** The argument of `@StoreAs`. */
  readonly storedName?: string | undefined
  /** The argument of `@Encrypted`. */
  readonly encryption?: EncryptionKeys | undefined
  /** `@Plain` says so. */
  readonly plain?: boolean | undefined
  /** What says how its values are stored, as it is written: `@Property('Int64')`. There may be one. */
  readonly forms?: readonly string[] | undefined
  /** The argument of `@Convert`, or what `@Json` converts by. */
  readonly converter?: Converter | undefined
  /** `@Text` or `@Blob` says that long values are cut, and what they are. */
  readonly chunkType?: 'String' | 'Binary' | undefined
  /** What the compiler recorded as `design:type`: a constructor, or nothing. */
  readonly designType?: unknown
  /** Two decorators of one class that contradict each other, in words for an error. */
  readonly conflict?: string | undefined
}

/** Adds the rule of a further decorator of the same class to a member's rule, and records conflicts. */
export function mergeRules(earlier: MemberRule | undefined, later: MemberRule): MemberRule {
  if (earlier === undefined) return later
  const conflict = earlier.conflict ?? conflictOf(earlier, later)
  return { ...overlayRule(earlier, later), ...(conflict !== undefined && { conflict }) }
}

function conflictOf(one: MemberRule, other: MemberRule): string | undefined {
  const differ = (name: 'storedName' | 'encryption' | 'converter') =>
    one[name] !== undefined && other[name] !== undefined && one[name] !== other[name]
  if (differ('storedName')) {
    const names = `'${other.storedName}' and '${one.storedName}'`
    return `@StoreAs names it ${names}, and a property has one stored name`
  }
  if (differ('encryption')) return '@Encrypted gives it two sets of keys'
  if (differ('converter')) return `${one.forms?.[0]} gives it two converters`
  return undefined
}

/** Adds one rule to another; where both say something, the later one wins. */
export function overlayRule(earlier: MemberRule | undefined, later: MemberRule): MemberRule {
  if (earlier === undefined) return later
  return {
    decorators: [...new Set([...earlier.decorators, ...later.decorators])],
    type: later.type ?? earlier.type,
    storedName: later.storedName ?? earlier.storedName,
    encryption: later.encryption ?? earlier.encryption,
    plain: later.plain ?? earlier.plain,
    designType: later.designType ?? earlier.designType,
    forms: [...new Set([...(earlier.forms ?? []), ...(later.forms ?? [])])],
    converter: later.converter ?? earlier.converter,
    chunkType: later.chunkType ?? earlier.chunkType,
    conflict: later.conflict ?? earlier.conflict,
  }
}

/**
 * The rule for a member that a base class declared and a subclass declares again: the subclass
 * adds to it, except that `@Ignore` ends what the base class said, and any other word ends its
 * `@Ignore`.
 */
export function overrideRule(base: MemberRule | undefined, own: MemberRule): MemberRule {
  const ignored = (rule: MemberRule) => rule.decorators.includes('Ignore')
  if (base === undefined || ignored(base) || ignored(own)) return own
  const isFormed = (own.forms ?? []).length > 0
  return overlayRule(isFormed ? withoutForm(base) : base, own)
}

/** The decorators that say what a member is, when it is no stored property of its own. */
export function systemDecorators({ decorators }: MemberRule): readonly MemberDecoratorName[] {
  return decorators.filter((decorator) => SYSTEM.includes(decorator))
}

/** The decorators that say something of a stored property. */
export function storedDecorators({ decorators }: MemberRule): readonly MemberDecoratorName[] {
  return decorators.filter((decorator) => !SYSTEM.includes(decorator))
}

/** The rule without what it says of how values are stored; the name and the secrecy stay. */
function withoutForm(rule: MemberRule): MemberRule {
  const decorators = rule.decorators.filter((decorator) => !FORMS.includes(decorator))
  return {
    ...rule,
    decorators,
    type: undefined,
    forms: undefined,
    converter: undefined,
    chunkType: undefined,
  }
}
