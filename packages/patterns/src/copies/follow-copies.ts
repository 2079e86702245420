import { codecOf, type EntityModel, type RowTransition } from '@rowkey/mapper'
import type { EntityKey } from '@rowkey/odata'
import { keptBeginning } from '../derived/kept-key.ts'
import { serveOutbox } from '../outbox/declare-outbox.ts'
import { isMigrated } from '../rows/is-migrated.ts'
import type { Work } from '../worker/work.ts'
import {
  type CopyRules,
  hadSource,
  holderKeysOf,
  isChanged,
  readRow,
  sourceKeyOf,
} from './copy-rules.ts'
import { HolderTable } from './holder-table.ts'

/** Lets the writes of both models store messages that name the holders to refresh, and a worker refresh them. */
export function followCopies(rules: CopyRules, work: Work<object>): void {
  const follow = (
    model: EntityModel<object, object, object>,
    side: 'source' | 'holder',
    keysOf: (transition: RowTransition) => readonly EntityKey[],
  ) => {
    serveOutbox<EntityKey, object>(model, work, {
      beginning: keptBeginning('ob', model, `${side}.${rules.id.replace('~', '.')}`),
      messages: keysOf,
      // A message that became a dead letter would leave the copies wrong without a word.
      attempts: Number.POSITIVE_INFINITY,
      handle: async (key, { account, options }, { name }) => {
        await new HolderTable(rules, account, { [side]: name }).refresh(key as EntityKey, options)
      },
    })
  }
  follow(rules.source, 'source', (transition) => holdersToRefresh(rules, transition))
  follow(rules.holder, 'holder', (transition) => itselfToRefresh(rules, transition))
}

/** Returns the holders whose copies a write of a source changes. */
function holdersToRefresh(rules: CopyRules, transition: RowTransition): readonly EntityKey[] {
  const [before, after] = entitiesOf(rules.source, transition)
  if (!isMigrated(rules.source, transition) && !isChanged(rules, before, after)) return []
  const keys = holderKeysOf(rules, before, after)
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}

/** Returns a holder that refers to another source since a write. */
function itselfToRefresh(rules: CopyRules, transition: RowTransition): readonly EntityKey[] {
  const [before, after] = entitiesOf(rules.holder, transition)
  if (after === undefined) return []
  const isSame = hadSource(rules, before, sourceKeyOf(rules, after))
  return isSame ? [] : [codecOf(rules.holder).keyOf(after)]
}

function entitiesOf(
  model: EntityModel<object>,
  { before, after }: RowTransition,
): readonly [object | undefined, object | undefined] {
  return [readRow(model, before), readRow(model, after)]
}
