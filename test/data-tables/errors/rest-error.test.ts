import { RestError } from '@rowkey/data-tables'
import { expect, it } from 'vitest'

it('has the constructor of the official class', () => {
  const error = new RestError('text', { code: 'Code', statusCode: 418 })
  expect(error).toMatchObject({ name: 'RestError', message: 'text', code: 'Code', statusCode: 418 })
  expect(new RestError('text')).toBeInstanceOf(Error)
  expect([RestError.REQUEST_SEND_ERROR, RestError.PARSE_ERROR]).toEqual([
    'REQUEST_SEND_ERROR',
    'PARSE_ERROR',
  ])
})

it('has the members of the official class, in their order', () => {
  const error = new RestError('text', { code: 'Code', statusCode: 418 })
  expect(Object.keys(error)).toEqual(['code', 'statusCode', 'details', 'name'])
  expect(JSON.stringify(error)).toBe('{"code":"Code","statusCode":418,"name":"RestError"}')
})
