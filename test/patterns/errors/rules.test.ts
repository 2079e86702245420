import { key } from '@rowkey/mapper'
import {
  declareCopies,
  declareIndexes,
  declareLargeValues,
  declareOutbox,
  declareSummaries,
  tableQueue,
  wideEntity,
} from '@rowkey/patterns'
import { describe, expect, it } from 'vitest'
import { announcedTo } from '../announcing.ts'
import { defineEmployee, office } from '../employees.ts'

const invalid = expect.objectContaining({ name: 'InputError', code: 'InvalidPatternOption' })
const copies = { fields: {}, source: () => undefined, holders: () => [] }

describe('arguments of JavaScript callers', () => {
  it.each([undefined, null, 7, 'staff', {}, []])('a model must be a model: %j', (value) => {
    const model = value as never
    const Employee = defineEmployee()
    for (const declare of [
      () => declareIndexes(model, {}),
      () => declareSummaries(model, {}),
      () => declareLargeValues(model, { property: 'photo' as never, store: model }),
      () => declareCopies(model, Employee, copies),
      () => declareCopies(Employee, model, copies),
      () => wideEntity(Employee, model),
    ]) {
      expect(declare).toThrow(invalid)
    }
  })

  it.each([undefined, null, 7, 'title'])('definitions must be an object: %j', (value) => {
    const definitions = value as never
    expect(() => declareIndexes(defineEmployee(), definitions)).toThrow(invalid)
    expect(() => declareSummaries(defineEmployee(), definitions)).toThrow(invalid)
  })

  it.each([undefined, null, 7, 'title', {}])('a rowKey must be a template: %j', (value) => {
    const definitions = { title: { rowKey: value as never } }
    const message = /must be a template such as key`title_/
    expect(() => declareIndexes(defineEmployee(), definitions)).toThrow(message)
    expect(() => declareSummaries(defineEmployee(), definitions)).toThrow(message)
  })

  it('a key without values is an InputError that names the property', () => {
    expect(() => key`${'department'}`.print(undefined as never)).toThrow(/department/)
  })

  it('the name of an outbox must be a string', () => {
    const options = { messages: () => [], ...announcedTo(), name: 7 as never }
    expect(() => declareOutbox(defineEmployee(), options)).toThrow(invalid)
  })

  it.each(['job/', 'job#', 'job\n', 'job\ud800'])(
    'the names of an outbox and of a queue must be parts of a key: %j',
    (text) => {
      const options = { messages: () => [], ...announcedTo(), name: text }
      const rule = /without \/ \\ # \? and control characters.*got a text/
      expect(() => declareOutbox(defineEmployee(), options)).toThrow(rule)
      expect(() => tableQueue(office().account, text, { table: 'queues' })).toThrow(rule)
    },
  )
})
