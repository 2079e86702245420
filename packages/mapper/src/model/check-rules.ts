import { EDM_TYPES, isEdmType } from '@rowkey/odata'
import { isConverter } from '../convert/converter.ts'
import { isEncryptionKeys } from '../encryption/is-encryption-keys.ts'
import { ModelError } from '../errors/model-error.ts'
import { type MemberRule, storedDecorators, systemDecorators } from './member-rule.ts'

/**
 * Checks the decorators of each member.
 *
 * @throws {@link ModelError} for the first mistake
 */
export function checkRules(className: string, members: ReadonlyMap<string, MemberRule>): void {
  for (const [property, rule] of members) {
    checkCombination(className, property, rule)
    checkType(className, property, rule)
    checkStoredName(className, property, rule)
    checkEncryption(className, property, rule)
    checkForms(className, property, rule)
    checkConflict(className, property, rule)
  }
}

/** Checks one member; a getter and its setter are one. */
function checkConflict(className: string, property: string, { conflict }: MemberRule): void {
  if (conflict === undefined) return
  throw new ModelError({ className, property, problem: `${conflict}. Keep one.` })
}

/** Checks that a member has one role; `@Property` and `@StoreAs` belong to the same role. */
function checkCombination(className: string, property: string, rule: MemberRule): void {
  const roles = systemDecorators(rule)
  const stored = storedDecorators(rule)
  const [first, second] = [...roles, ...stored]
  if (second === undefined || roles.length === 0) return
  const problem = stored.includes('StoreAs')
    ? `@StoreAs cannot be combined with @${first}: keys, ETag and Timestamp have the service's own ` +
      'names, and an ignored member has none. Remove @StoreAs.'
    : `@${first} and @${second} cannot be combined. Keep one.`
  throw new ModelError({ className, property, problem })
}

function checkType(className: string, property: string, { type }: MemberRule): void {
  if (type === undefined || isEdmType(type)) return
  throw new ModelError({
    className,
    property,
    problem: `@Property('${String(type)}') has an unknown Edm type. Use one of ${EDM_TYPES.join(', ')}.`,
  })
}

function checkStoredName(className: string, property: string, rule: MemberRule): void {
  if (typeof rule.storedName === 'string' || !rule.decorators.includes('StoreAs')) return
  throw new ModelError({
    className,
    property,
    problem: "@StoreAs needs the name to store the member under, such as @StoreAs('cea').",
  })
}

function checkEncryption(className: string, property: string, rule: MemberRule): void {
  const { decorators, encryption } = rule
  if (decorators.includes('Encrypted') && decorators.includes('Plain')) {
    const problem = '@Encrypted and @Plain cannot be combined. Keep one.'
    throw new ModelError({ className, property, problem })
  }
  if (!decorators.includes('Encrypted') || isEncryptionKeys(encryption)) return
  const problem = '@Encrypted needs encryption keys: encryptionKeys({ current, keys }).'
  throw new ModelError({ className, property, problem })
}

/**
 * Checks that the decorators of a member agree on how its values are stored.
 *
 * @throws {@link ModelError} for the first mistake
 */
export function checkForms(className: string, property: string, rule: MemberRule): void {
  const problem = formsProblem(rule) ?? converterProblem(rule) ?? chunkProblem(rule)
  if (problem !== undefined) throw new ModelError({ className, property, problem })
}

function formsProblem({ forms = [] }: MemberRule): string | undefined {
  const [first, second] = forms
  if (second === undefined) return undefined
  return `${first} and ${second} both define how its values are stored. Keep one.`
}

function converterProblem({ decorators, converter }: MemberRule): string | undefined {
  const isNamed = decorators.includes('Convert') || converter !== undefined
  if (!isNamed || isConverter(converter)) return undefined
  return '@Convert needs a converter: an Edm type, and the functions toStored and fromStored.'
}

function chunkProblem({ decorators, type, converter, chunkType }: MemberRule): string | undefined {
  if (decorators.includes('Text') && decorators.includes('Blob')) {
    return '@Text is for text and @Blob for bytes. Keep one.'
  }
  const stored = converter?.type ?? type ?? chunkType
  if (chunkType === undefined || stored === chunkType) return undefined
  const decorator = chunkType === 'String' ? '@Text' : '@Blob'
  return `${decorator} cuts values of type ${chunkType}, but this member is stored as ${stored}. Remove it.`
}
