import { connect, Entity, PartitionKey } from 'rowkey'
import { expect, it } from 'vitest'
import { modelTable } from '../../../packages/cli/src/model/model-table.ts'

@Entity('half')
class Half {
  @PartitionKey() team = ''
}

const account = connect('memory:')

it('a module whose only class is declared wrongly says why it has no model', () => {
  expect(() => modelTable(account, { models: { Half } }, {})).toThrow(
    /^The module exports no model\. Half: .*RowKey.* Give --model with one of: Half\.$/,
  )
})
