import type { EntityModel, KeptCall, KeptPlan, RowKeeper, RowTransition } from '@rowkey/mapper'
import { DynamicEntity, dynamicEntityCodec, type FilterNode } from '@rowkey/odata'
import { insertOrReplaceEntity } from '@rowkey/rest'
import { rowFilter } from '../rows/row-filter.ts'

/** The property of a version row that is new after each write. */
export const STAMP = 'Stamp'

/** How the versions of partitions are stored. */
export interface VersionRule {
  readonly model: EntityModel<object, object, object>
  /** The RowKey of the version row. */
  readonly rowKey: string
  readonly newId: () => string
}

/** The stamp of each call: several models of one partition may have versions, and a transaction stores one. */
const stamps = new WeakMap<KeptCall, string>()

/** Gives a partition a new version in each of its transactions. */
export class SnapshotKeeper implements RowKeeper {
  readonly rows: FilterNode
  readonly #rule: VersionRule

  /** @param rule - how versions are stored */
  constructor(rule: VersionRule) {
    this.#rule = rule
    this.rows = rowFilter(rule.model, [rule.rowKey])
  }

  touches(): boolean {
    return true
  }

  async plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan> {
    const { rowKey, newId } = this.#rule
    const { table } = call
    const stamp = stamps.get(call) ?? newId()
    stamps.set(call, stamp)
    const companions = transitions.slice(0, 1).map(({ key: { partitionKey } }) => {
      const row = new DynamicEntity(partitionKey, rowKey, { [STAMP]: stamp })
      const body = dynamicEntityCodec.write(row)
      return {
        operation: insertOrReplaceEntity,
        input: { table: table.name, key: { partitionKey, rowKey }, body },
      }
    })
    return { companions, rejected: async (_, error) => error }
  }
}
