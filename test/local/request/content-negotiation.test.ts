import { beforeEach, describe, expect, it } from 'vitest'
import {
  parseMediaRanges,
  preferenceOf,
} from '../../../packages/local/src/request/content-negotiation.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { Conversation, codeOf } from '../../support/local-conversation.ts'
import { place } from '../../support/local-place.ts'

const shown = (text: string) =>
  parseMediaRanges(text).map(({ type, parameters, quality }) => [type, [...parameters], quality])

describe('parseMediaRanges', () => {
  it('reads types, parameters and qualities in order', () => {
    expect(shown('Text/HTML , application/json; OData = Full;q=0.25,*/*;q=0')).toEqual([
      ['text/html', [], 1],
      ['application/json', [['odata', 'full']], 0.25],
      ['*/*', [], 0],
    ])
  })

  it('keeps quoted text, with commas, semicolons and escaped quotes', () => {
    expect(shown('a/b;x="1,2;3";y="\\"q\\\\", c/d')).toEqual([
      [
        'a/b',
        [
          ['x', '1,2;3'],
          ['y', '"q\\'],
        ],
        1,
      ],
      ['c/d', [], 1],
    ])
  })

  it.each(['2', '-1', 'x', '', '0.5.5', '1e-9'])('ignores the invalid quality q=%s', (quality) => {
    expect(shown(`a/b;q=${quality}`)).toEqual([['a/b', [], 1]])
  })

  it.each(['', ' ', ',', ' , ,'])('finds nothing in %j', (text) => {
    expect(shown(text)).toEqual([])
  })

  it('ends for any text, including unclosed quotes', () => {
    expect(shown('a/b;x="1, c/d')).toEqual([['a/b', [['x', '1, c/d']], 1]])
    expect(shown(';=;"\\')).toHaveLength(1)
  })
})

describe('metadataLevel', () => {
  let service: Conversation
  beforeEach(() => {
    service = new Conversation()
  })

  const levelOf = async (accept: string | undefined, target = '/Tables') => {
    const { headers } = await service.send('GET', target, { headers: { accept } })
    return /odata=(\w+)/.exec(headers['content-type'] ?? '')?.[1]
  }

  it.each([
    ['application/json;odata=nometadata', 'nometadata'],
    ['application/json;odata=minimalmetadata', 'minimalmetadata'],
    ['application/json; odata=fullmetadata; q=1', 'fullmetadata'],
    ['Application/JSON;OData=FullMetadata', 'fullmetadata'],
    ['application/json', 'minimalmetadata'],
    ['*/*', 'minimalmetadata'],
    ['application/atom+xml, application/json;odata=nometadata', 'nometadata'],
    ['application/json;odata="minimalmetadata"', 'minimalmetadata'],
    ['application/json; odata="FullMetadata"; charset="utf-8"', 'fullmetadata'],
    ['application/json;charset=utf-8;odata=nometadata', 'nometadata'],
    ['text/html;x="a,b", application/json;odata="nometadata"', 'nometadata'],
    ['application/json;odata=fullmetadata;q=0.5, application/json;odata=nometadata', 'nometadata'],
    ['application/json;odata=fullmetadata;q=0.5, */*;q=0.1', 'fullmetadata'],
    ['application/json;odata=nometadata;q=0.9, text/html', 'nometadata'],
    ['application/*', 'minimalmetadata'],
    ['*/*, application/json;odata=minimalmetadata;q=0', 'nometadata'],
    ['application/json;odata=fullmetadata, application/json;odata=nometadata', 'fullmetadata'],
  ])('reads Accept: %s', async (accept, level) => {
    expect(await levelOf(accept)).toBe(level)
  })

  it('prefers $format to Accept', async () => {
    const target = '/Tables?$format=application/json%3Bodata%3Dfullmetadata'
    expect(await levelOf('application/json;odata=nometadata', target)).toBe('fullmetadata')
    expect(await levelOf('application/atom+xml', '/Tables?$format=json')).toBe('minimalmetadata')
  })

  it.each([
    ['application/atom+xml', 'AtomFormatNotSupported'],
    [undefined, 'AtomFormatNotSupported'],
    ['application/json;odata=verbose', 'JsonVerboseFormatNotSupported'],
    ['application/json;odata=some', 'MediaTypeNotSupported'],
    ['application/json;odata="verbose"', 'JsonVerboseFormatNotSupported'],
    ['text/html', 'MediaTypeNotSupported'],
    ['application/json;q=0', 'MediaTypeNotSupported'],
    ['*/*, application/json;q=0.0', 'MediaTypeNotSupported'],
    ['application/json;q=0, application/xml', 'AtomFormatNotSupported'],
  ])('rejects Accept: %s', async (accept, code) => {
    const response = await service.send('GET', '/Tables', { headers: { accept } })
    expect(codeOf(response)).toEqual([415, code])
  })

  it('rejects $format=atom', async () => {
    const response = await service.send('GET', '/Tables?$format=atom')
    expect(codeOf(response)).toEqual([415, 'AtomFormatNotSupported'])
  })
})

const callOf = (method: string, resourcePath: string, prefer: string) =>
  readRequest(place, { method, resourcePath, query: '', headers: { prefer }, body: '' })

describe('preferenceOf', () => {
  it('reads the preference of an insert and of a create-table', () => {
    expect(preferenceOf(callOf('POST', '/people', 'return-content'))).toBe('return-content')
    expect(preferenceOf(callOf('POST', '/Tables', ' Return-No-Content'))).toBe('return-no-content')
  })

  it('returns no preference for other operations', () => {
    expect(preferenceOf(callOf('POST', '/people', 'respond-async'))).toBeUndefined()
    expect(preferenceOf(callOf('GET', '/people', 'return-content'))).toBeUndefined()
    expect(
      preferenceOf(callOf('PUT', "/people(PartitionKey='',RowKey='')", 'return-content')),
    ).toBeUndefined()
  })
})
