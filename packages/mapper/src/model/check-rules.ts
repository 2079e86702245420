import { ModelError } from '../errors/model-error.ts'
import { type MemberRule, storedDecorators, systemDecorators } from './member-rule.ts'

/**
 * Checks the decorators of each member.
 *
 * @throws {@link ModelError} for the first mistake
 */
export function checkRules(className: string, members: ReadonlyMap<string, MemberRule>): void {
  for (const [property, rule] of members) {
    const checks = [combinationProblem, ...(rule.checks ?? []), conflictProblem]
    const problem = checks.map((check) => check(rule)).find((found) => found !== undefined)
    if (problem !== undefined) throw new ModelError({ className, property, problem })
  }
}

/** Tells which decorators of one class contradict each other; a getter and its setter are one member. */
function conflictProblem({ conflict }: MemberRule): string | undefined {
  return conflict && `${conflict}. Keep one.`
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
