import { readXml } from '../../../packages/rest/src/xml/read-xml.ts'

// It is loaded when it is first used: later it would arrive at a moment that no seed decides.
await readXml('<a/>')
