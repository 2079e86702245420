import { connect, defineEntity, Entity, key, PartitionKey } from 'rowkey'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { modelTable } from '../../../packages/cli/src/model/model-table.ts'
import { modelsIn } from '../../../packages/cli/src/model/models-in.ts'

@Entity('half')
class Half {
  @PartitionKey() team = ''
}

const Person = defineEntity({
  name: 'people',
  partitionKey: key`${'team'}`,
  rowKey: key`${'id'}`,
  schema: z.object({ team: z.string(), id: z.string() }),
})

const account = connect('memory:')

it('a function of a module with models is not called', () => {
  let calls = 0
  function seed() {
    calls++
  }
  expect(modelsIn(seed)).toEqual([])
  const models = { Person, seed, table: 'people' }
  expect(modelTable(account, { models }, {}).name).toBe('people')
  expect(calls).toBe(0)
})

it('a module whose only class is declared wrongly says why it has no model', () => {
  expect(() => modelTable(account, { models: { Half } }, {})).toThrow(
    /^The module exports no model\. Half: .*RowKey.* Give --model with one of: Half\.$/,
  )
})
