import type { CallOptions } from '../caller.ts';
import type { Body, Form } from '../form.ts';
import { type ReadArguments, Resource } from './resource.ts';

export class Webhooks<F extends Form> extends Resource<F> {
  list(options?: CallOptions) {
    return this.act('listWebhooks', [], options);
  }

  /** Store `data.secret`: it is shown once. */
  create(body: Body<F, 'createWebhook'>, options?: CallOptions) {
    return this.write('createWebhook', [], body, options);
  }

  update(webhookId: string, body: Body<F, 'updateWebhook'>, options?: CallOptions) {
    return this.write('updateWebhook', [webhookId], body, options);
  }

  delete(webhookId: string, options?: CallOptions) {
    return this.act('deleteWebhook', [webhookId], options);
  }

  /** Both secrets sign for 24 hours. */
  rotateSecret(webhookId: string, options?: CallOptions) {
    return this.act('rotateWebhookSecret', [webhookId], options);
  }

  /** Sends a test event. */
  test(webhookId: string, ...args: ReadArguments<F, 'testWebhook'>) {
    return this.read('testWebhook', [webhookId], args);
  }

  /** One page, newest first. */
  listDeliveries(webhookId: string, ...args: ReadArguments<F, 'listDeliveries'>) {
    return this.read('listDeliveries', [webhookId], args);
  }

  iterateDeliveries(webhookId: string, ...args: ReadArguments<F, 'listDeliveries'>) {
    return this.walk('listDeliveries', [webhookId], args);
  }

  retryDelivery(webhookId: string, deliveryId: string, options?: CallOptions) {
    return this.act('retryDelivery', [webhookId, deliveryId], options);
  }
}
