import { EDM_TYPES, isEdmType } from '@rowkey/odata'
import { isConverter } from '../convert/converter.ts'
import { isEncryptionKeys } from '../encryption/is-encryption-keys.ts'
import {
  type MemberDecoratorName,
  type MemberRule,
  storedDecorators,
  systemDecorators,
} from './member-rule.ts'

/** Returns what is wrong with the decorators of a member, and its fix; `undefined` for a valid rule. */
export function ruleProblem(rule: MemberRule): string | undefined {
  const { decorators, type, storedName, encryption, forms = [], converter, conflict } = rule
  const has = (decorator: MemberDecoratorName) => decorators.includes(decorator)
  const roleProblem = combinationProblem(rule)
  if (roleProblem !== undefined) return roleProblem
  if (type !== undefined && !isEdmType(type)) {
    return `@Property('${String(type)}') has an unknown Edm type. Use one of ${EDM_TYPES.join(', ')}.`
  }
  if (has('StoreAs') && typeof storedName !== 'string') {
    return "@StoreAs needs the name to store the member under, such as @StoreAs('cea')."
  }
  if (has('Encrypted') && has('Plain')) return '@Encrypted and @Plain cannot be combined. Keep one.'
  if (has('Encrypted') && !isEncryptionKeys(encryption)) {
    return '@Encrypted needs encryption keys: encryptionKeys({ current, keys }).'
  }
  if (forms.length > 1) {
    return `${forms[0]} and ${forms[1]} both define how its values are stored. Keep one.`
  }
  if ((has('Convert') || converter !== undefined) && !isConverter(converter)) {
    return '@Convert needs a converter: an Edm type, and the functions toStored and fromStored.'
  }
  return chunkProblem(rule) ?? (conflict && `${conflict}. Keep one.`)
}

/** Checks that a member has one role; `@Property` and `@StoreAs` belong to the same role. */
function combinationProblem(rule: MemberRule): string | undefined {
  const roles = systemDecorators(rule)
  const stored = storedDecorators(rule)
  const [first, second] = [...roles, ...stored]
  if (second === undefined || roles.length === 0) return undefined
  return stored.includes('StoreAs')
    ? `@StoreAs cannot be combined with @${first}: keys, ETag and Timestamp have the service's own ` +
        'names, and an ignored member has none. Remove @StoreAs.'
    : `@${first} and @${second} cannot be combined. Keep one.`
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
