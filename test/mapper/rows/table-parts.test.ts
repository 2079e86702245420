import { ModelError, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'

import { expect, it } from 'vitest'
import { DynamicCodec } from '../../../packages/mapper/src/codec/dynamic-codec.ts'
import { dynamicParts, modelParts } from '../../../packages/mapper/src/rows/table-parts.ts'
import { invalidName } from '../../support/rejections.ts'
import { Customer } from '../customer.ts'
import { freshAccount } from '../fresh-account.ts'

class Nameless {
  @PartitionKey() partition = 'p'
  @RowKey() row = 'r'
}

const { service } = freshAccount()

it('a table has the name of its model, unless the caller passes another', () => {
  expect(modelParts(service, modelOf(Customer), {}).name).toBe('customers')
  const parts = modelParts(service, modelOf(Customer), { name: 'archive', scans: 'none' })
  expect(parts).toMatchObject({ name: 'archive', scans: 'none' })
})

it('a model without a name needs one', () => {
  expect(() => modelParts(service, modelOf(Nameless), {})).toThrow(ModelError)
})

it('a table without a declared class stores any properties', () => {
  const parts = dynamicParts(service, 'people', { scans: 'tableScan' })
  expect(parts).toMatchObject({ name: 'people', scans: 'tableScan' })
  expect(parts.types.ofKey({}).codec).toBeInstanceOf(DynamicCodec)
  expect(parts.queryModel.column('anything')?.name).toBe('anything')
})

it('rejects a name that the service does not accept', () => {
  expect(() => dynamicParts(service, 'a-b', {})).toThrow(
    expect.objectContaining({ code: 'InvalidTableName' }),
  )
  expect(() => modelParts(service, modelOf(Customer), { name: '1st' })).toThrow(
    expect.objectContaining({ code: 'InvalidTableName' }),
  )
})

it('the check of property names can be left to the service', () => {
  const { service } = freshAccount()
  const left = {
    ...service,
    endpoint: { ...service.endpoint, unchecked: ['propertyNames'] as const },
  }
  const dashed = new DynamicEntity('a', 'b', { 'first-name': 'Jeff' })
  const { codec } = dynamicParts(left, 'people', {}).types.ofKey({})
  expect(codec.write(dashed, undefined).row.text).toContain('"first-name":"Jeff"')
  const checked = dynamicParts(service, 'people', {}).types.ofKey({}).codec
  expect(() => checked.write(dashed, undefined)).toThrow(invalidName)
})

it('the origin of a table is its account and its name, in lower case except on Cosmos', () => {
  const { accountId: account } = service
  const origin = { account, table: 'people' }
  expect(dynamicParts(service, 'People', {}).origin).toEqual(origin)
  expect(modelParts(service, modelOf(Customer), { name: 'PEOPLE' }).origin).toEqual(origin)
  const cosmos = { ...service, endpoint: { ...service.endpoint, flavour: 'cosmos' as const } }
  expect(dynamicParts(cosmos, 'People', {}).origin).toEqual({ account, table: 'People' })
  expect(dynamicParts(freshAccount().service, 'people', {}).origin).not.toEqual(origin)
})
