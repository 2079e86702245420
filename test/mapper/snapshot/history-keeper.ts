import type { RowKeeper, RowTransition } from '@rowkey/mapper'
import type { Aim } from './history-aim.ts'
import { broken } from './history-checks.ts'
import type { StoredChange } from './history-log.ts'
import { type Properties, propertiesOf } from './history-rows.ts'

const KEPT = 'n'

/** What was planned in the current history. */
const planned: RowTransition[] = []

/** Stores nothing, and records the rows before and after each write that it is shown. */
export const recordingKeeper: RowKeeper = {
  touches: (names) => names.has(KEPT),
  async plan(transitions) {
    planned.push(...transitions)
    return { companions: [], rejected: async (_, error) => error }
  },
}

/** Forgets what was planned in earlier histories. */
export function forgetPlans(): void {
  planned.length = 0
}

/** Checks that a keeper was shown the stored row before a write, and the row that the write made of it. */
export function checkPlanned(aim: Aim, { change, before, after }: StoredChange): void {
  if (!aim.kind.isKept || (aim.how === 'merge' && !change.properties.has(KEPT))) return
  const isShown = planned.some(
    (each) =>
      each.key.partitionKey === change.partitionKey &&
      each.key.rowKey === change.rowKey &&
      hasProperties(each.before, before?.properties) &&
      hasProperties(each.after, after?.properties),
  )
  if (!isShown) throw broken('wrong plan', aim, 'no keeper was shown the rows before and after it')
}

function hasProperties(raw: RowTransition['after'], stored: Properties | undefined): boolean {
  if (raw === undefined || stored === undefined) return raw === stored
  const shown = propertiesOf(raw)
  return shown.size === stored.size && [...shown].every(([name, text]) => stored.get(name) === text)
}
