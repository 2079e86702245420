import { type Rule, rule, wholeNumber } from '@rowkey/odata'

/** How much a call may cost. */
export interface RequestBudget {
  /** How many requests at most, retries and hedged reads included: a whole number from 1. */
  readonly requests: number
}

const isCount = wholeNumber(1, Number.MAX_SAFE_INTEGER)

/** The rule of a {@link RequestBudget}. */
export const requestBudgetRule: Rule = rule(
  'an object with requests, a whole number from 1, such as { requests: 20 }',
  (budget) =>
    Object.keys(Object(budget)).join() === 'requests' &&
    isCount.accepts((budget as RequestBudget).requests),
)

/** Counts requests against a budget. */
export class Spending {
  /** How many requests the budget allows. */
  readonly allowed: number
  /** How many were made. */
  spent = 0

  /** @param budget - the budget */
  constructor({ requests }: RequestBudget) {
    this.allowed = requests
  }

  /** Whether no further request may be made. */
  get isOver(): boolean {
    return this.spent >= this.allowed
  }
}

/** A context counts the requests of all calls that it records. */
const spendingOfContext = new WeakMap<object, Spending>()

/** Where a budget can be given. */
interface Budgeted {
  readonly budget?: RequestBudget | undefined
  readonly context?: { readonly budget?: RequestBudget | undefined } | undefined
}

/** A call that another is part of. */
interface OuterCall {
  readonly given: Budgeted
  readonly spendings: readonly Spending[]
}

const NONE: readonly Spending[] = Object.freeze([])

/**
 * Returns what the requests of a call are counted against.
 *
 * @param options - the options of the call
 * @param account - its account, whose budget is the default of each whole call
 * @param outer - the call that it is part of; it shares the budgets of that call
 */
export function spendingsOf(
  { budget, context }: Budgeted,
  account: Budgeted,
  outer: OuterCall | undefined,
): readonly Spending[] {
  const { given, spendings: shared } = outer ?? { given: account, spendings: NONE }
  const isOwn = outer === undefined || (budget !== undefined && budget !== given.budget)
  const own = isOwn ? (budget ?? account.budget) : undefined
  const ofContext = contextSpending(context ?? account.context)
  const isNew = ofContext !== undefined && !shared.includes(ofContext)
  if (own === undefined && !isNew) return shared
  return [...shared, ...(own ? [new Spending(own)] : []), ...(isNew ? [ofContext] : [])]
}

function contextSpending(context: Budgeted['context']): Spending | undefined {
  if (context?.budget === undefined) return undefined
  let spending = spendingOfContext.get(context)
  if (spending === undefined) {
    spending = new Spending(context.budget)
    spendingOfContext.set(context, spending)
  }
  return spending
}
