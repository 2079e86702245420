import { type FilterNode, keyBounds, pointReadsOf } from '@rowkey/odata'
import { asksBeyondKeys, type KeyName, type KeyUse, unboundingUses } from './key-use.ts'
import { type PlanClass, planClassOf } from './plan-class.ts'

const READS: { readonly [Plan in PlanClass]: string } = {
  point: 'Reads one entity: PartitionKey and RowKey are given.',
  range: 'Reads a stretch of RowKeys in one partition.',
  partitionScan:
    'Reads the whole partition, since nothing bounds RowKey. A range or a prefix of RowKeys would read less.',
  tableRange:
    'Reads every partition in a stretch of PartitionKeys. A query for each partition that is wanted would read less.',
  tableScan: 'Reads the whole table, since nothing bounds PartitionKey. Name a partition.',
}

const WAYS_OUT: { readonly [Key in KeyName]: { readonly [Under in KeyUse['under']]: string } } = {
  PartitionKey: {
    or: 'PartitionKey stands under `or`, which bounds nothing: ask for each partition in a query of its own, as .inPartitions does.',
    not: 'PartitionKey stands under `not`, which bounds nothing: say what must hold instead.',
    ne: '`PartitionKey ne` bounds nothing, as it leaves out a single partition.',
  },
  RowKey: {
    or: 'RowKey stands under `or`, which bounds nothing: read each entity by its key, as getMany does, or ask for each range in a query of its own.',
    not: 'RowKey stands under `not`, which bounds nothing: say what must hold instead.',
    ne: '`RowKey ne` bounds nothing, as it leaves out a single entity: ask for what lies below it and above it in two queries.',
  },
}

/** Why a filter costs what it does, in words, with the cheaper way where there is one. */
export function planReasons(filter: FilterNode | undefined): readonly string[] {
  const plan = planClassOf(filter)
  const reasons = [READS[plan], ...contradictions(filter)]
  if (plan === 'point' || plan === 'range') return reasons
  const wanted: KeyName = plan === 'partitionScan' ? 'RowKey' : 'PartitionKey'
  for (const { key, under } of unboundingUses(filter)) {
    if (key === wanted) reasons.push(WAYS_OUT[key][under])
  }
  return [...reasons, ...rowKeyAlone(filter, plan), ...wholeKeys(filter), ...rowByRow(filter)]
}

function contradictions(filter: FilterNode | undefined): readonly string[] {
  const { partitionKey, rowKey } = keyBounds(filter)
  const said = (name: KeyName) =>
    `The conditions on ${name} contradict each other, so nothing matches.`
  return [
    ...(partitionKey.empty ? [said('PartitionKey')] : []),
    ...(rowKey.empty ? [said('RowKey')] : []),
  ]
}

function rowKeyAlone(filter: FilterNode | undefined, plan: PlanClass): readonly string[] {
  const { low, high } = keyBounds(filter).rowKey
  if (plan === 'partitionScan' || (low === undefined && high === undefined)) return []
  return ['A bound on RowKey helps only within one partition: entities are found by PartitionKey.']
}

function wholeKeys(filter: FilterNode | undefined): readonly string[] {
  const count = pointReadsOf(filter)?.length
  if (count === undefined || count === 0) return []
  if (count === 1) return ['It names one entity by its whole key: a read by key costs less.']
  return [`It names ${count} entities by their whole keys: that many reads by key cost less.`]
}

function rowByRow(filter: FilterNode | undefined): readonly string[] {
  if (!asksBeyondKeys(filter)) return []
  return ['Only the keys are indexed: other conditions drop entities after they were read.']
}
