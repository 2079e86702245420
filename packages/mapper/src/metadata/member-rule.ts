import type { EdmType } from '@rowkey/odata'
import type { EncryptionKeys } from '../encryption/encryption-keys.ts'

/** The decorators that may stand on a member. */
export type MemberDecoratorName =
  | 'PartitionKey'
  | 'RowKey'
  | 'ETag'
  | 'Timestamp'
  | 'Property'
  | 'StoreAs'
  | 'Encrypted'
  | 'Plain'
  | 'Ignore'

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
  /** What the compiler recorded as `design:type`: a constructor, or nothing. */
  readonly designType?: unknown
}

/** One member's rule with a further decorator's words added; the later word wins. */
export function mergeRules(earlier: MemberRule | undefined, later: MemberRule): MemberRule {
  if (earlier === undefined) return later
  return {
    decorators: [...new Set([...earlier.decorators, ...later.decorators])],
    type: later.type ?? earlier.type,
    storedName: later.storedName ?? earlier.storedName,
    encryption: later.encryption ?? earlier.encryption,
    plain: later.plain ?? earlier.plain,
    designType: later.designType ?? earlier.designType,
  }
}

/**
 * The rule for a member that a base class declared and a subclass declares again: the subclass
 * adds to it, except that `@Ignore` ends what the base class said, and any other word ends its
 * `@Ignore`.
 */
export function overrideRule(base: MemberRule | undefined, own: MemberRule): MemberRule {
  const ignored = (rule: MemberRule) => rule.decorators.includes('Ignore')
  return base === undefined || ignored(base) || ignored(own) ? own : mergeRules(base, own)
}
