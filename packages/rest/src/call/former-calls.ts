import { checkValue } from '@rowkey/odata'
import { type Call, checkedCall, type TableService } from './call.ts'
import { type CallOptions, callOptions } from './call-options.ts'
import type { Deadline } from './deadline.ts'

/** What the patterns call until they take a {@link Call}. */
export type FormerCalls = Pick<TableService, 'pendingCalls' | 'withDeadline' | 'runAsOne'>

/** Adds the former names to a service, over {@link Call}. */
export function withFormerCalls(made: Omit<TableService, keyof FormerCalls>): TableService {
  const service = made as TableService
  const withDeadline = <Options extends CallOptions>(options: Options): Options => {
    const { deadline } = options
    if (deadline !== undefined) {
      checkValue(deadline, callOptions.rules.deadline, 'deadline', 'withDeadline')
    }
    const { endsAt } = checkedCall(service, { deadline })
    if (typeof deadline === 'object' || endsAt === Number.POSITIVE_INFINITY) return options
    return { ...options, deadline: { endsAt } }
  }
  const begin = <Options extends CallOptions>(options: Options): Options => {
    if (typeof options !== 'object' || options === null) return options
    const copy = { ...options }
    try {
      const call = checkedCall(service, options)
      service.openCalls.enter(call.whole)
      return Object.assign(copy, { deadline: call })
    } catch {
      return options
    }
  }
  const ended = new WeakSet<object>()
  const end = ({ deadline }: CallOptions): void => {
    if (typeof deadline !== 'object' || !('whole' in deadline) || ended.has(deadline)) return
    ended.add(deadline)
    service.openCalls.leave((deadline as Call).whole)
  }
  const runSeries = async <Options extends CallOptions, Output>(
    options: Options,
    work: (options: Options) => Promise<Output>,
  ): Promise<Output> => {
    const begun = begin(options)
    try {
      return await work(begun)
    } finally {
      if (begun !== options) end(begun)
    }
  }
  const former: FormerCalls = {
    pendingCalls: {
      begin,
      end,
      runSeries,
    },
    withDeadline,
    runAsOne: async (options, work) => runSeries(withDeadline(options), work),
  }
  return Object.assign(service, former)
}

/**
 * Returns milliseconds until the deadline of a pending call; `Infinity` without one, or when it has not begun.
 *
 * @param options - the options of the call
 * @param clock - of its service
 */
export function timeLeft(
  { deadline }: { readonly deadline?: number | Deadline | undefined },
  clock: { readonly now: () => number },
): number {
  return typeof deadline === 'object' ? deadline.endsAt - clock.now() : Number.POSITIVE_INFINITY
}
