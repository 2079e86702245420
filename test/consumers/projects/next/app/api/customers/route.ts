import { customers } from '../../customers/account'

export const dynamic = 'force-dynamic'

/** JSON shows a bigint as its digits, without a setting. */
export async function GET(): Promise<Response> {
  return Response.json(await customers.get(['Smith', 'Ann']))
}
