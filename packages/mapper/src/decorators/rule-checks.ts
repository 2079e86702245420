import { EDM_TYPES, isEdmType } from '@rowkey/odata'
import { isConverter } from '../convert/converter.ts'
import { isEncryptionKeys } from '../encryption/is-encryption-keys.ts'
import type { MemberRule } from '../model/member-rule.ts'

/** Rejects an unknown Edm type. */
export function typeProblem({ type }: MemberRule): string | undefined {
  if (type === undefined || isEdmType(type)) return undefined
  return `@Property('${String(type)}') has an unknown Edm type. Use one of ${EDM_TYPES.join(', ')}.`
}

/** Rejects `@StoreAs` without a name. */
export function storedNameProblem({ storedName }: MemberRule): string | undefined {
  if (typeof storedName === 'string') return undefined
  return "@StoreAs needs the name to store the member under, such as @StoreAs('cea')."
}

/** Rejects `@Encrypted` without keys, and beside `@Plain`. */
export function encryptionProblem({ decorators, encryption }: MemberRule): string | undefined {
  if (decorators.includes('Plain')) return '@Encrypted and @Plain cannot be combined. Keep one.'
  if (isEncryptionKeys(encryption)) return undefined
  return '@Encrypted needs encryption keys: encryptionKeys({ current, keys }).'
}

/** Rejects decorators that together do not define how values are stored. */
export function formProblem(rule: MemberRule): string | undefined {
  return formsProblem(rule) ?? converterProblem(rule) ?? chunkProblem(rule)
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
