import { beforeEach, describe, expect, it } from 'vitest'
import { Conversation, codeOf } from '../../support/local-conversation.ts'

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
