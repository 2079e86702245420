import { modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import {
  declaredNames,
  declaredNamesOfAll,
} from '../../../packages/mapper/src/model/declared-names.ts'
import { OrderV1, OrderV3 } from '../versions/orders.ts'

describe('declaredNames', () => {
  it('are the names that a model stores beside its keys', () => {
    expect(declaredNames(modelOf(OrderV1))).toEqual(['total', 'note', 'status'])
    expect(declaredNames(OrderV3)).toEqual(['amount', 'currency', 'status', 'Version'])
  })

  it('include those of all versions before', () => {
    expect([...declaredNamesOfAll(OrderV3)].sort()).toEqual([
      ...['Version', 'amount', 'currency', 'note', 'status', 'total'],
    ])
  })
})
