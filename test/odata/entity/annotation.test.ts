import { annotationName, isAnnotation } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('isAnnotation', () => {
  it.each([
    'odata.etag',
    'odata.metadata',
    'age@odata.type',
    'a.b@odata.type',
    'a@b@odata.type',
    '@odata.type',
  ])('sees an annotation in %s', (member) => {
    expect(isAnnotation(member)).toBe(true)
  })

  it.each(['age', 'a.b', 'a:b', 'x.odata.y', 'odata', 'a@b', 'a@odata.type@b', 'Odata.etag', ''])(
    'sees a property in %j',
    (member) => {
      expect(isAnnotation(member)).toBe(false)
    },
  )
})

describe('annotationName', () => {
  it('is the name of the member that says the type', () => {
    expect(annotationName('p')).toBe('p@odata.type')
  })
})
