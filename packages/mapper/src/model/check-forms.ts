import { isConverter } from '../convert/converter.ts'
import { ModelError } from '../errors/model-error.ts'
import type { MemberRule } from './member-rule.ts'

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
