import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Failure, ShownPlan, TypeNames } from '../src/server/wire.ts'
import { ask, failureOf } from './ask-server.ts'
import { namesOfModels } from './table-columns.ts'

/** What the service does for a filter, or why the filter is wrong. */
export interface PlanState {
  /** The filter that it is of. */
  readonly filter: string
  readonly plan?: ShownPlan
  readonly failure?: Failure
}

/** Milliseconds without a key before the plan is asked for. */
const PAUSE = 120

/** Asks for the plan of a filter, while it is typed. */
export function usePlan(table: string, filter: string): PlanState | undefined {
  const [state, setState] = useState<PlanState>()
  useEffect(() => {
    const gone = new AbortController()
    const timer = setTimeout(
      () => {
        ask<ShownPlan>('plan', { table, filter }, gone.signal)
          .then((plan) => setState({ filter, plan }))
          .catch((error) => {
            if (!gone.signal.aborted) setState({ filter, failure: failureOf(error) })
          })
      },
      state === undefined ? 0 : PAUSE,
    )
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [table, filter])
  return state?.filter === filter ? state : undefined
}

const NAMES: Readonly<Record<ShownPlan['plan'], string>> = {
  point: 'Point: one row',
  range: 'Range of one partition',
  partitionScan: 'One partition',
  tableRange: 'Range of partitions',
  tableScan: 'Scan of the table',
}

/** Shows a plan in a line. */
export function PlanLine(props: {
  readonly state: PlanState | undefined
  readonly types: readonly TypeNames[]
}): JSX.Element {
  const { state, types } = props
  return (
    <p id="plan" class="plan" aria-live="polite">
      {state?.failure && <span class="wrong">{state.failure.error.message}</span>}
      {state?.plan && <PlanText filter={state.filter} plan={state.plan} />}
      {state?.plan && <strong> {namesOfModels(types, state.filter).join(' ')}</strong>}
    </p>
  )
}

function PlanText(props: { readonly filter: string; readonly plan: ShownPlan }): JSX.Element {
  const { filter, plan } = props
  if (filter === '') return <span class="badge">All rows, page by page</span>
  return (
    <>
      <span class={`badge plan-${plan.plan}`}>{NAMES[plan.plan]}</span>{' '}
      {[...plan.reasons, ...plan.warnings].join(' ')}
    </>
  )
}
