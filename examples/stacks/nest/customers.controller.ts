import type { ServerResponse } from 'node:http'
import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  HttpException,
  Param,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common'
import { type FullPage, fromPlain, type Table } from 'rowkey'
import { Customer } from '../shared/customer.ts'
import { InjectTable } from './tables.module.ts'

interface CustomerKey {
  readonly country: string
  readonly id: string
}

@Controller('customers')
export class CustomersController {
  constructor(@InjectTable(Customer) private readonly customers: Table<Customer>) {}

  @Get(':country')
  list(
    @Param('country') country: string,
    @Query('token') token?: string,
  ): Promise<FullPage<Customer>> {
    return this.customers.query().where({ country }).page({ size: 20, token })
  }

  @Post()
  insert(@Body() body: unknown): Promise<Customer> {
    return this.customers.insert(fromPlain(Customer, body))
  }

  /** Express compares the ETag with If-None-Match, and responds with 304. */
  @Get(':country/:id')
  async get(
    @Param() { country, id }: CustomerKey,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Promise<Customer> {
    const customer = await this.customers.get([country, id])
    response.setHeader('etag', customer.etag ?? '')
    return customer
  }

  @Put(':country/:id')
  async replace(
    @Param() key: CustomerKey,
    @Body() body: object,
    @Headers('if-match') etag?: string,
  ): Promise<Customer> {
    const customer = fromPlain(Customer, { ...body, ...key })
    await this.customers.replace(customer, { etag: required(etag) })
    return customer
  }

  @Delete(':country/:id')
  @HttpCode(204)
  async delete(
    @Param() { country, id }: CustomerKey,
    @Headers('if-match') etag?: string,
  ): Promise<void> {
    await this.customers.delete([country, id], { etag: required(etag) })
  }
}

function required(etag: string | undefined): string {
  if (etag === undefined) throw new HttpException({ status: 428, title: 'Send If-Match' }, 428)
  return etag
}
