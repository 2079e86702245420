import type { MadeCall } from './small-world.ts'

/** What calls mean, applied one after another. */
export interface Meaning<State> {
  readonly start: State
  /**
   * Applies a call that ended so, or that is in doubt and was applied.
   *
   * @returns the next state, in a list; none when the call cannot have ended so
   */
  apply(state: State, call: MadeCall): readonly State[]
}

/** Tells whether the calls can be put into an order, within their times, that explains how they ended and the last state. */
export function isLinear<State>(
  calls: readonly MadeCall[],
  { start, apply }: Meaning<State>,
  isLast: (state: State) => boolean,
): boolean {
  const search = (state: State, left: readonly MadeCall[]): boolean => {
    if (left.every(isInDoubt) && isLast(state)) return true
    const firstEnd = Math.min(...left.filter((call) => !isInDoubt(call)).map(({ ended }) => ended))
    return left.some((call) => {
      if (call.began > firstEnd) return false
      const others = left.filter((each) => each !== call)
      return apply(state, call).some((next) => search(next, others))
    })
  }
  return search(start, calls)
}

/** What is in doubt may be applied late, or never. */
function isInDoubt({ ending }: MadeCall): boolean {
  return ending.kind === 'in doubt'
}
