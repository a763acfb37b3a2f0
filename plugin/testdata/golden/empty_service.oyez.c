/* Written by protoc-gen-oyez from empty_service.proto: change that instead. */
#include "empty_service.oyez.h"

oyez_err hollow_nothing_service_register(
    oyez_server *server, const hollow_nothing_service *service, void *self)
{
    if (!service)
        return oyez_server_register(server, NULL); /* the server gets the words */
    const oyez_service_desc desc = {
        OYEZ_SERVICE_DESC_INIT,
        .name = HOLLOW_NOTHING_SERVICE_NAME,
        .methods = NULL,
        .method_count = 0,
        .service = service,
        .self = self,
        .on_loop = service->on_loop,
    };
    return oyez_server_register(server, &desc);
}
