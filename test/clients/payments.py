"""Payments by Debian's stripe for Python: python3 payments.py URL SANDBOX

Prints what it saw as JSON.
"""

import json
import sys
import time
import urllib.parse
import urllib.request

import stripe

URL, SANDBOX = sys.argv[1], sys.argv[2]
stripe.api_base = URL
stripe.api_key = f'sk_test_{SANDBOX}'
stripe.max_network_retries = 2
NOW = int(time.time())


def payment(**more):
    return stripe.PaymentIntent.create(
        amount=2000, currency='usd', payment_method_types=['card'], confirm=True, **more
    )


def failing(call):
    try:
        call()
    except stripe.error.StripeError as error:
        return [type(error).__name__, error.code, error.http_status, getattr(error, 'param', None)]
    return None


def post_page(url, fields):
    """Submits a form as the browser of a customer does."""
    body = urllib.parse.urlencode(fields).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body)) as response:
        return response.status


seen = {}

# Customers, with metadata, and pages of them.
for index in range(25):
    stripe.Customer.create(name=f'Customer {index}', metadata={'index': index})
seen['paged'] = len(list(stripe.Customer.list(limit=10).auto_paging_iter()))
found = stripe.Customer.search(query='metadata["index"]:"7"')
seen['searched'] = [each.name for each in found.data]

# A card that succeeds, one that is declined, and 3D Secure.
card = stripe.PaymentMethod.create(
    type='card', card={'number': '4242424242424242', 'exp_month': 12, 'exp_year': 2034, 'cvc': '123'}
)
paid = payment(payment_method=card.id, expand=['latest_charge'])
seen['paid'] = [paid.status, paid.latest_charge.object, paid.latest_charge.amount]
seen['declined'] = failing(lambda: payment(payment_method='pm_card_visa_chargeDeclinedInsufficientFunds'))
seen['unknown'] = failing(lambda: stripe.PaymentIntent.retrieve('pi_none'))
seen['mistake'] = failing(lambda: stripe.PaymentIntent.create(amount='20.00', currency='usd'))
waiting = payment(payment_method='pm_card_threeDSecure2Required')
post_page(waiting.next_action.use_stripe_sdk.stripe_js, {'outcome': 'complete'})
seen['secure'] = stripe.PaymentIntent.retrieve(waiting.id).status

# One key, and other parameters with it.
keyed = [payment(payment_method='pm_card_visa', idempotency_key='order-7').id for _ in range(2)]
seen['keyed'] = len(set(keyed))
seen['conflict'] = failing(
    lambda: stripe.PaymentIntent.create(amount=1, currency='usd', idempotency_key='order-7')
)

# A subscription from its trial on, and its refund.
clock = stripe.test_helpers.TestClock.create(frozen_time=NOW)
customer = stripe.Customer.create(payment_method='pm_card_visa')
methods = stripe.Customer.list_payment_methods(customer.id)
price = stripe.Price.create(
    currency='usd', unit_amount=900, recurring={'interval': 'month'}, product_data={'name': 'Tea'}
)
subscription = stripe.Subscription.create(
    customer=customer.id,
    items=[{'price': price.id, 'quantity': 2}],
    trial_period_days=7,
    default_payment_method=methods.data[0].id,
)
seen['trial'] = subscription.status
clock.advance(frozen_time=NOW + 8 * 86400)
subscription = stripe.Subscription.retrieve(subscription.id, expand=['latest_invoice'])
seen['active'] = [subscription.status, subscription.latest_invoice.amount_paid]
refund = stripe.Refund.create(charge=paid.latest_charge.id, amount=500)
seen['refund'] = [refund.status, refund.amount]

# Events, verified as a receiver does.
endpoint = stripe.WebhookEndpoint.create(url='https://shop.example/hook', enabled_events=['*'])
payment(payment_method='pm_card_visa')
path = f'/api/webhooks/subscriptions/{endpoint.id}/deliveries?wait=0&limit=50'
pulled = urllib.request.Request(URL + path, headers={'X-Sandbox': SANDBOX})
with urllib.request.urlopen(pulled) as response:
    deliveries = json.load(response)['deliveries']
events = []
for delivery in deliveries:
    headers = {name.lower(): value for name, value in delivery['request']['headers'].items()}
    body = delivery['request']['body']
    event = stripe.Webhook.construct_event(body, headers['stripe-signature'], endpoint.secret)
    events.append(event.type)
    forged = headers['stripe-signature'][:-4] + '0000'
    try:
        stripe.Webhook.construct_event(body, forged, endpoint.secret)
        events.append('a forged signature was accepted')
    except stripe.error.SignatureVerificationError:
        pass
seen['events'] = sorted(set(events))

print(json.dumps(seen))
