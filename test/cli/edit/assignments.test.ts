import { DynamicEntity } from 'rowkey'
import { expect, it } from 'vitest'
import { readAssignments } from '../../../packages/cli/src/edit/assignments.ts'

const stored = new DynamicEntity('a', 'b', { points: 5n, name: 'x', flag: true })

it.each([
  ['age=30', 'Int32', 30],
  ['age=3000000000', 'Double', 3_000_000_000],
  ['age=1.5', 'Double', 1.5],
  ['age=1e3', 'Double', 1000],
  ['age=01234', 'String', '01234'],
  ['age=12345678901234567890', 'String', '12345678901234567890'],
  ['age=1e400', 'String', '1e400'],
  ['age=-0', 'Double', -0],
  ['age=true', 'Boolean', true],
  ['age=', 'String', ''],
  ['age=a=b', 'String', 'a=b'],
  ['points=7', 'Int64', 7n],
  ['points:Int32=7', 'Int32', 7],
  ['name=30', 'String', '30'],
])('reads %s as %s', (text, type, value) => {
  const [property] = readAssignments([text], stored).values()
  expect(property).toMatchObject({ type, value })
})

it.each([
  ['age', "'age' is not name=value or name:Type=value. Types are Binary, "],
  ['=5', "'=5' is not name=value"],
  ['age:Word=5', "'age:Word=5' is not name=value"],
  ['flag=5', 'flag=5: flag is'],
  ['age:Int32=x', 'age:Int32=x: age is'],
])('rejects %s', (text, reason) => {
  expect(() => readAssignments([text], stored)).toThrow(
    expect.objectContaining({
      ...{ name: 'InputError', code: 'InvalidArgument' },
      message: expect.stringContaining(reason),
    }),
  )
})

it('says how to write a type that is given as the Azure CLI takes it', () => {
  expect(() => readAssignments(['age@odata.type=Edm.Int32'], stored)).toThrow(
    "In place of 'age@odata.type=Edm.Int32', write age:Int32=value.",
  )
})

it('rejects two values of one property', () => {
  expect(() => readAssignments(['age=1', 'age=2'], stored)).toThrow('two values')
})
