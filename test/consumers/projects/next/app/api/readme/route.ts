import { readme } from '../../../readme'
import 'rowkey/embedded'

export const dynamic = 'force-dynamic'

export async function GET(): Promise<Response> {
  return new Response(`the README runs: ${(await readme()).join(' ')}`)
}
