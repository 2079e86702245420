import type { Change } from '@rowkey/rest'
import type { KeptPlan } from './row-keeper.ts'

/**
 * Joins plans to one. They may depend on the same version of a row; the service gets that condition once.
 *
 * @param plans - what is stored together
 *
 * @example
 * ```ts
 * return joinPlans([{ companions: changes, rejected }, await planKeptRows(Department, transitions, call)])
 * ```
 */
export function joinPlans(plans: readonly KeptPlan[]): KeptPlan {
  const owned = new Map<string, OwnedChange>()
  for (const plan of plans) {
    for (const [at, change] of plan.companions.entries()) {
      const { name } = change.operation
      // Two writes that change a sum alike count twice. A transaction cannot have both changes, and must not have one.
      const isCounted = name === 'insertEntity' || name === 'updateEntity'
      const apart = isCounted && plan.isOfOtherWrites === true && owned.size
      const same = JSON.stringify([name, change.input, apart])
      if (!owned.has(same)) owned.set(same, { plan, at, change })
    }
  }
  const owners = [...owned.values()]
  return {
    companions: owners.map(({ change }) => change),
    attempts: mostOf(plans.flatMap(({ attempts }) => attempts ?? [])),
    keptFor(index) {
      const { plan, at } = owners[index] ?? {}
      return plan?.keptFor?.(at ?? 0) ?? ''
    },
    applied(results) {
      for (const plan of plans) {
        plan.applied?.(results.filter((_, at) => owners[at]?.plan === plan))
      }
    },
    async rejected(index, error) {
      const owner = owners[index]
      return owner === undefined ? error : owner.plan.rejected(owner.at, error)
    },
  }
}

function mostOf(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

/** A change, and the plan that it is of. */
interface OwnedChange {
  readonly plan: KeptPlan
  readonly at: number
  readonly change: Change
}
