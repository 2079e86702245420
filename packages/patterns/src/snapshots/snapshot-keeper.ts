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

  async plan(transitions: readonly RowTransition[], { table }: KeptCall): Promise<KeptPlan> {
    const { rowKey, newId } = this.#rule
    const companions = transitions.slice(0, 1).map(({ key: { partitionKey } }) => {
      const row = new DynamicEntity(partitionKey, rowKey, { [STAMP]: newId() })
      const body = dynamicEntityCodec.write(row)
      return {
        operation: insertOrReplaceEntity,
        input: { table: table.name, key: { partitionKey, rowKey }, body },
      }
    })
    return { companions, rejected: async (_, error) => error }
  }
}
